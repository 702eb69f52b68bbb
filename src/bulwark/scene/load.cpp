#include <bulwark/base/error.hpp>
#include <bulwark/base/input_file.hpp>
#include <bulwark/scene/foreign_file.hpp>
#include <bulwark/scene/load.hpp>
#include <bulwark/scene/old_keys.hpp>
#include <bulwark/scene/read_bodies.hpp>
#include <bulwark/scene/read_joints.hpp>
#include <bulwark/scene/read_settings.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

namespace bulwark {

std::string read_scene_text(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) throw InputError(file.string(), "there is no such scene file");
  if (std::filesystem::is_directory(file, error)) {
    throw InputError(file.string(), "this is a folder", "give a scene file (JSON)");
  }
  if (std::filesystem::is_regular_file(file, error)) {
    refuse_foreign_file(file);
    return read_file(file);
  }
  // A pipe, as shells make of <(COMMAND).
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(file.string(), "the scene file can't be opened", "check its permissions");
  constexpr std::streamsize longest = std::streamsize{1} << 30;
  std::string text, block(1 << 16, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (static_cast<std::streamsize>(text.size()) > longest)
      throw InputError(file.string(), "more than 1 GiB was read without reaching the end");
  }
  return text;
}

Scene parse_scene(const std::string& text, const std::string& name, const LoadOptions& options) {
  SceneSource source{name, options.name_lines ? text : "", {}};
  Json document = parse_json(text, name);
  for (const std::string& override_text : options.overrides) {
    source.overridden.push_back(apply_override(document, override_text));
  }
  std::vector<RenamedKey> renamed;
  std::vector<LiftedValue> lifted;
  std::vector<Issue> issues = check_against_schema(document, scene_schema_document(), &renamed, &lifted);
  throw_issues(issues, source);
  warn_of_old_keys(renamed, source);

  Scene scene;
  scene.resolved_json = document.dump(2, ' ', false, Json::error_handler_t::replace);
  lift_into_space(document, lifted);
  try {
    scene.settings = read_settings(document);
  } catch (const IssueFound& found) {
    issues.push_back(found.issue());
  }
  read_bodies(scene.world, document, options, issues, scene.remarks);
  throw_issues(issues, source);
  read_joints(scene.world, document, issues);
  throw_issues(issues, source);
  return scene;
}

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
  LoadOptions options;
  options.base_folder = file.parent_path();
  options.overrides = overrides;
  return naming_file(file.string(),
                     [&] { return parse_scene(read_scene_text(file), file.string(), options); });
}

}  // namespace bulwark
