#include <bulwark/base/log.hpp>
#include <bulwark/scene/old_keys.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

namespace bulwark {

void warn_of_old_keys(const std::vector<RenamedKey>& renamed, const SceneSource& source) {
  std::map<std::string, std::size_t> counts;
  for (const RenamedKey& key : renamed) ++counts[key.before];
  for (const RenamedKey& key : renamed) {
    const auto count = counts.find(key.before);
    if (count == counts.end()) continue;  // said already
    const std::size_t others = count->second - 1;
    counts.erase(count);
    const bool from_file = !source.text.empty() && !is_overridden(key.path, source);
    log_warning("{}: the key \"{}\" is \"{}\" now{}; the old name is read in this version only{}",
                place_of(key.path, source), key.before, key.now,
                others > 0 ? fmt::format(", here and in {} more places", others) : "",
                from_file ? fmt::format("\n  `bulwark validate --fix {}` rewrites it", source.name) : "");
  }
}

FixedScene fix_old_keys(const std::string& text, const std::string& name) {
  FixedScene fixed;
  Json document = parse_json(text, name);
  check_against_schema(document, scene_schema_document(), &fixed.renamed);
  fixed.text = with_keys_renamed(text, fixed.renamed);
  return fixed;
}

}  // namespace bulwark
