#include <bulwark/scene/reference.hpp>
#include <bulwark/scene/schema.hpp>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <vector>

namespace bulwark {
namespace {

/// An object that has a name of its own, hence a section of its own.
bool is_section(const Json& schema) {
  if (!schema.contains("properties") || !schema.contains("title")) return false;
  const std::string title = schema["title"];
  return title[0] >= 'A' && title[0] <= 'Z';
}

std::string lower_case_title(const Json& section) {
  std::string title = section["title"];
  title[0] = static_cast<char>(title[0] - 'A' + 'a');
  return title;
}

class ReferencePage {
 public:
  std::string text() {
    page_ =
        "# Scene file reference\n\n"
        "Every key of a scene file, made from the schema: change `src/bulwark/scene/schema.json`, then run\n"
        "`bulwark schema --markdown > docs/scene-reference.md`. The schema itself, for editors, is what\n"
        "`bulwark schema` prints.\n\n"
        "A scene is JSON with `//` and `/* */` comments. Units are SI, angles are in degrees where the key "
        "says so,\n"
        "axes are right-handed and y is up by convention only. Files are relative to the scene file. Any "
        "value can\n"
        "be changed on the command line by its JSON pointer: `--set /time/step=0.005` (`null` removes a "
        "key).\n"
        "In scenes of `dimension` 2 vectors have 2 numbers, rotations and angular velocities 1, about z in "
        "degrees;\n"
        "where a key takes something else in a plane, it is said.\n";
    sections_.push_back(&root_);
    for (std::size_t i = 0; i < sections_.size(); ++i) add_section(*sections_[i]);
    return page_;
  }

 private:
  void add_section(const Json& section) {
    page_ += "\n## " + (&section == &root_ ? "Scene" : section["title"].get<std::string>()) + "\n\n";
    page_ += section["description"].get<std::string>() + "\n";
    if (section.contains("oneOf")) page_ += "\n" + one_of_note(section["oneOf"]) + "\n";
    page_ += "\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n";
    add_rows(section, "");
  }

  static std::string one_of_note(const Json& sets) {
    std::string note = "Exactly one of ";
    for (std::size_t i = 0; i < sets.size(); ++i) {
      if (i > 0) note += i + 1 == sets.size() ? " or " : ", ";
      const Json& keys = sets[i]["required"];
      for (std::size_t k = 0; k < keys.size(); ++k) {
        note += (k == 0 ? "`" : " with `") + keys[k].get<std::string>() + "`";
      }
    }
    return note + " is needed.";
  }

  void add_rows(const Json& object, const std::string& prefix) {
    for (const auto& [key, property] : object["properties"].items()) {
      const Json& preset = annotation(property, root_, "default");
      const Json& meaning = annotation(property, root_, "description");
      const Json& unit = annotation(property, root_, "unit");
      const std::string name = prefix + key;
      page_ += "| `" + name + "` | " + value_text(property) + in_plane_text(property);
      if (!unit.is_null()) page_ += " (" + unit.get<std::string>() + ")";
      page_ += " | " + default_text(object, key, preset);
      page_ += " | " + (meaning.is_null() ? "" : meaning.get<std::string>()) + " |\n";
      const Json& target = resolved(property, root_);
      if (target.contains("properties") && !is_section(target)) add_rows(target, name + ".");
    }
  }

  /// What a key takes in a planar scene, where the head of the page does not say it.
  std::string in_plane_text(const Json& property) {
    const Json& other = annotation(property, root_, "in_plane");
    if (other.is_null() || !annotation(other, root_, "lift").is_null()) return "";
    if (other == false) return "; not in a plane";
    const std::string text = value_text(other);
    return text == value_text(property) ? "" : "; in a plane " + text;
  }

  static std::string default_text(const Json& object, const std::string& key, const Json& preset) {
    if (!preset.is_null()) return "`" + preset.dump() + "`";
    const bool required =
        object.contains("required") &&
        std::find(object["required"].begin(), object["required"].end(), key) != object["required"].end();
    return required ? "needed" : "";
  }

  /// What a key takes, with links to the sections of the objects it may be.
  std::string value_text(const Json& given) {
    const Json& schema = resolved(given, root_);
    if (is_section(schema)) return link_to(schema);
    if (schema.contains("oneOf") && !schema.contains("properties")) {
      std::string text;
      for (const Json& branch : schema["oneOf"]) text += (text.empty() ? "" : " or ") + value_text(branch);
      return text;
    }
    if (schema.contains("items")) {
      const Json& items = resolved(schema["items"], root_);
      if (is_section(items) || items.contains("oneOf")) return "a list, each item " + value_text(items);
    }
    if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
      return "an object, each value " + value_text(schema["additionalProperties"]);
    }
    return schema.contains("properties") && !schema.contains("title") ? "an object"
                                                                      : expectation(schema, root_);
  }

  std::string link_to(const Json& section) {
    if (std::find(sections_.begin(), sections_.end(), &section) == sections_.end())
      sections_.push_back(&section);
    const std::string title = lower_case_title(section);
    // As pages on the web make them from headings.
    std::string anchor;
    for (const char c : title) {
      const auto letter = static_cast<unsigned char>(c);
      if (c == ' ' || c == '-') anchor += '-';
      if (std::isalnum(letter) != 0) anchor += static_cast<char>(std::tolower(letter));
    }
    return "[" + title + "](#" + anchor + ")";
  }

  const Json& root_ = scene_schema_document();
  std::vector<const Json*> sections_;
  std::string page_;
};

}  // namespace

std::string scene_reference_markdown() {
  return ReferencePage().text();
}

}  // namespace bulwark
