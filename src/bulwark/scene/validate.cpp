#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/schema.hpp>
#include <bulwark/scene/validate.hpp>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace bulwark {
namespace {

/// Products of a few lengths, masses or stiffnesses must stay finite in a double.
constexpr double largest_number = 1e30;

bool has_type(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer" && value.is_number_float())
    return std::trunc(value.get<double>()) == value.get<double>();
  return value.is_number();
}

/// The type that a schema accepts; an enum or const has that of its values.
std::string type_of(const Json& schema) {
  if (schema.contains("type")) return schema["type"];
  const Json& sample = schema.contains("const") ? schema["const"] : schema["enum"][0];
  if (sample.is_string()) return "string";
  return sample.is_boolean() ? "boolean" : "number";
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

std::string in_quotes(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : separator) + in_quotes(words[i]);
  return text;
}

std::string did_you_mean(const Json& value, const std::vector<std::string>& words) {
  const std::string nearest = value.is_string() ? nearest_word(value.get<std::string>(), words) : "";
  return nearest.empty() ? "" : "did you mean " + in_quotes(nearest) + "?";
}

class Checker {
 public:
  Checker(const Json& root, bool planar) : root_(root), planar_(planar) {}

  void check(Json& value, const Json& given, const std::string& path) {
    const Json& of_dimension = in_dimension(given);
    if (of_dimension == false) {
      if (value != annotation(given, root_, "default")) refuse_in_plane(path, given);
      return;
    }
    const Json* schema = &resolved(of_dimension, root_);
    while (is_choice(*schema)) {
      schema = choose(value, *schema, path);
      if (schema == nullptr) return;
      const Json& chosen = in_dimension(*schema);
      if (chosen == false) return refuse_in_plane(path, *schema);
      schema = &resolved(chosen, root_);
    }
    if (schema->contains("lift")) lifted_.push_back({path, (*schema)["lift"]});
    if (!has_type(value, type_of(*schema))) {
      add(path, "expected " + expectation(*schema, root_) + ", got " + brief(value));
    } else if (schema->contains("const") || schema->contains("enum")) {
      check_listed(value, *schema, path);
    } else if (value.is_number()) {
      check_number(value, *schema, path);
    } else if (value.is_string()) {
      check_string(value, *schema, path);
    } else if (value.is_array()) {
      check_list(value, *schema, path);
    } else if (value.is_object()) {
      check_object(value, *schema, path);
    }
  }

  std::vector<Issue> take_issues() { return std::move(issues_); }
  std::vector<RenamedKey> take_renamed() { return std::move(renamed_); }
  std::vector<LiftedValue> take_lifted() { return std::move(lifted_); }

 private:
  /// The schema that counts in the document's dimension; false where there is none.
  const Json& in_dimension(const Json& given) const {
    if (!planar_) return given;
    const Json& other = annotation(given, root_, "in_plane");
    return other.is_null() ? given : other;
  }

  bool is_refused(const Json& properties, const std::string& key) const {
    return properties.contains(key) && in_dimension(properties[key]) == false;
  }

  void refuse_in_plane(const std::string& path, const Json& given) {
    const Json& schema = resolved(given, root_);
    const bool object = schema.contains("properties") && schema.contains("title");
    add(path, (object ? expectation(schema, root_) : "this") + " has no meaning in a scene of dimension 2",
        "leave it out");
  }

  /// The default of a key in the document's dimension.
  Json preset_of(const Json& property) const {
    const Json& own = annotation(property, root_, "default");
    const Json& of_dimension = in_dimension(property);
    if (&of_dimension == &property || of_dimension == false) return own;
    const Json& other = annotation(of_dimension, root_, "default");
    if (!other.is_null()) return other;
    const bool vector =
        annotation(of_dimension, root_, "lift") == "vector" && own.is_array() && own.size() == 3;
    return vector ? Json::array({own[0], own[1]}) : own;
  }

  bool is_full() const { return issues_.size() > max_issues; }

  void add(const std::string& path, const std::string& problem, const std::string& remedy = "") {
    if (!is_full()) issues_.push_back({path, problem, remedy});
  }

  /// A choice between whole schemas, as opposed to one between sets of required keys.
  static bool is_choice(const Json& schema) {
    return schema.contains("oneOf") && !schema.contains("properties");
  }

  /// The alternative to hold the value against; null when there is none, which then has been reported.
  const Json* choose(const Json& value, const Json& schema, const std::string& path) {
    std::vector<const Json*> branches;
    for (const Json& branch : schema["oneOf"]) {
      const Json& candidate = resolved(branch, root_);
      if (is_choice(candidate) || has_type(value, type_of(candidate))) branches.push_back(&candidate);
    }
    if (branches.empty()) {
      add(path, "expected " + expectation(schema, root_) + ", got " + brief(value));
      return nullptr;
    }
    if (branches.size() == 1) return branches[0];
    if (value.is_object()) return choose_by_word(value, branches, path);
    return choose_by_items(value, branches);
  }

  /// The words that a schema's property may be; none where it is neither a constant nor a choice of words.
  static std::vector<std::string> words_of(const Json& schema, const std::string& key) {
    const auto property = schema["properties"].find(key);
    if (property == schema["properties"].end()) return {};
    if (property->contains("const")) return {(*property)["const"].get<std::string>()};
    return property->contains("enum") ? (*property)["enum"].get<std::vector<std::string>>()
                                      : std::vector<std::string>();
  }

  /// The key that tells object schemas apart (as `kind`): a constant in at least one of them.
  static std::string telling_key(const std::vector<const Json*>& branches) {
    for (const Json* branch : branches) {
      for (const auto& [key, property] : (*branch)["properties"].items()) {
        if (property.contains("const")) return key;
      }
    }
    return "";
  }

  /// Among object schemas: the one that has the value's word for the key that tells them apart.
  const Json* choose_by_word(const Json& value, const std::vector<const Json*>& branches,
                             const std::string& path) {
    const std::string tag = telling_key(branches);
    std::vector<std::string> known;
    for (const Json* branch : branches) {
      for (const std::string& word : words_of(*branch, tag)) {
        if (value.contains(tag) && value[tag] == word) return branch;
        known.push_back(word);
      }
    }
    if (!value.contains(tag)) {
      const std::string misspelt = nearest_word(tag, keys_of(value));
      const std::string hint = misspelt.empty() ? "" : "; " + in_quotes(misspelt) + " is not a key here";
      add(path, "missing key " + in_quotes(tag), "add one of: " + joined(known, ", ") + hint);
    } else {
      const Json& got = value[tag];
      add(pointer_to(path, tag), "expected " + joined(known, " or ") + ", got " + brief(got),
          did_you_mean(got, known));
    }
    return nullptr;
  }

  /// Among list schemas: the first whose item type fits the first item.
  const Json* choose_by_items(const Json& value, const std::vector<const Json*>& branches) const {
    for (const Json* branch : branches) {
      if (!branch->contains("items") || value.empty()) continue;
      if (has_type(value[0], type_of(resolved((*branch)["items"], root_)))) return branch;
    }
    return branches[0];
  }

  void check_listed(const Json& value, const Json& schema, const std::string& path) {
    const Json listed = schema.contains("const") ? Json::array({schema["const"]}) : schema["enum"];
    std::vector<std::string> words;
    for (const Json& option : listed) {
      if (value == option) return;
      if (option.is_string()) words.push_back(option);
    }
    add(path, "expected " + expectation(schema, root_) + ", got " + brief(value), did_you_mean(value, words));
  }

  void check_number(const Json& value, const Json& schema, const std::string& path) {
    const double number = value.get<double>();
    const bool in_range =
        (!schema.contains("minimum") || number >= schema["minimum"].get<double>()) &&
        (!schema.contains("exclusiveMinimum") || number > schema["exclusiveMinimum"].get<double>()) &&
        (!schema.contains("maximum") || number <= schema["maximum"].get<double>()) &&
        (!schema.contains("exclusiveMaximum") || number < schema["exclusiveMaximum"].get<double>());
    if (!in_range) {
      add(path, "expected " + expectation(schema, root_) + ", got " + brief(value));
    } else if (!(std::abs(number) <= largest_number)) {
      add(path, "the number " + brief(value) + " is too large", "SI units are expected; the limit is 1e30");
    }
  }

  void check_string(const Json& value, const Json& schema, const std::string& path) {
    const std::size_t length = value.get_ref<const std::string&>().size();
    if (length < schema.value("minLength", std::size_t{0})) add(path, "the string is empty");
    if (length > schema.value("maxLength", length)) {
      add(path, "the string is longer than " + schema["maxLength"].dump() + " bytes");
    }
  }

  void check_list(Json& value, const Json& schema, const std::string& path) {
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t most = schema.value("maxItems", value.size());
    if (value.size() < least || value.size() > most) {
      const std::string expected =
          schema.contains("title") || least == most
              ? expectation(schema, root_)
              : "at least " + std::to_string(least) + (least == 1 ? " item" : " items");
      add(path, "expected " + expected + ", got " + brief(value));
      return;
    }
    for (std::size_t i = 0; i < value.size() && !is_full(); ++i) {
      const bool own = schema.contains("prefixItems") && i < schema["prefixItems"].size();
      if (own) {
        check(value[i], schema["prefixItems"][i], pointer_to(path, i));
      } else if (schema.contains("items")) {
        check(value[i], schema["items"], pointer_to(path, i));
      }
    }
  }

  /// Gives old keys their new names, in place.
  void rename_old_keys(Json& value, const Json& schema, const std::string& path) {
    if (!schema.contains("renamed")) return;
    for (const auto& [before, name] : schema["renamed"].items()) {
      const std::string now = name.get<std::string>();
      if (!value.contains(before)) continue;
      if (value.contains(now)) {
        add(pointer_to(path, before), "this is the old name of " + in_quotes(now) + ", which is given, too",
            "remove one of them");
        value.erase(before);
        continue;
      }
      Json with_new = Json::object();
      for (auto& [key, member] : value.items()) with_new[key == before ? now : key] = std::move(member);
      value = std::move(with_new);
      renamed_.push_back({pointer_to(path, before), before, now});
    }
  }

  void check_object(Json& value, const Json& schema, const std::string& path) {
    rename_old_keys(value, schema, path);
    static const Json no_properties = Json::object();
    const Json& properties = schema.contains("properties") ? schema["properties"] : no_properties;
    std::vector<std::string> suggested;  // keys that an unknown one was taken for
    for (auto& [key, member] : value.items()) {
      if (is_full()) return;
      if (properties.contains(key)) {
        check(member, properties[key], pointer_to(path, key));
      } else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
        check(member, schema["additionalProperties"], pointer_to(path, key));
      } else {
        const std::vector<std::string> known = keys_of(properties);
        suggested.push_back(nearest_word(key, known));
        add(pointer_to(path, key), "unknown key " + brief(key), suggestion(key, known, "keys"));
      }
    }
    const auto is_missing = [&](const std::string& key) {
      return !value.contains(key) && std::find(suggested.begin(), suggested.end(), key) == suggested.end();
    };
    if (schema.contains("required")) {
      for (const Json& key : schema["required"]) {
        if (is_missing(key) && !is_refused(properties, key)) report_missing(key, properties, path);
      }
    }
    if (schema.contains("oneOf")) check_one_set(value, schema, properties, suggested, path);
    if (schema.contains("dependentRequired")) {
      for (const auto& [key, others] : schema["dependentRequired"].items()) {
        for (const Json& other : others) {
          if (value.contains(key) && is_missing(other)) {
            add(pointer_to(path, key), in_quotes(key) + " needs " + in_quotes(other) + " beside it");
          }
        }
      }
    }
    for (const auto& [key, property] : properties.items()) {
      const Json preset = preset_of(property);
      if (value.contains(key) || preset.is_null()) continue;
      value[key] = preset;
      check(value[key], property, pointer_to(path, key));
    }
  }

  void report_missing(const std::string& key, const Json& properties, const std::string& path) {
    const Json& property = properties[key];
    const Json& meaning = annotation(property, root_, "description");
    add(path, "missing key " + in_quotes(key),
        "add " + in_quotes(key) + ": " + expectation(in_dimension(property), root_) +
            (meaning.is_string() ? ". " + meaning.get<std::string>() : ""));
  }

  /// "oneOf" beside "properties": exactly one of several sets of keys, each known by its first.
  void check_one_set(const Json& value, const Json& schema, const Json& properties,
                     const std::vector<std::string>& suggested, const std::string& path) {
    std::vector<std::string> tags, present;
    for (const Json& set : schema["oneOf"]) {
      const Json& keys = set["required"];
      const std::string tag = keys[0];
      tags.push_back(tag);
      if (std::find(suggested.begin(), suggested.end(), tag) != suggested.end()) return;
      if (!value.contains(tag)) continue;
      present.push_back(tag);
      for (const Json& key : keys) {
        const std::string name = key;
        if (!value.contains(name) && !is_refused(properties, name)) report_missing(name, properties, path);
      }
    }
    if (present.empty()) add(path, "missing key", "add one of: " + joined(tags, ", "));
    if (present.size() > 1) add(path, joined(present, " and ") + " are both given", "keep one of them");
  }

  const Json& root_;
  bool planar_;
  std::vector<Issue> issues_;
  std::vector<RenamedKey> renamed_;
  std::vector<LiftedValue> lifted_;
};

Json lifted_value(const Json& value, const std::string& way) {
  if (way == "vector") return Json::array({value[0], value[1], 0.0});
  if (way == "scale") return Json::array({value[0], value[1], value[0]});  // radii go by the largest
  if (way == "count") return Json::array({value[0], value[1], 1});
  if (way == "about_z") return Json::array({0.0, 0.0, value});
  if (way == "rotation") return {{"axis", {0.0, 0.0, 1.0}}, {"degrees", value}};
  if (way == "flags") return Json::array({value[0], value[1], false});
  if (way == "flag_about_z") return Json::array({false, false, value});
  // A body in the plane feels its moment about z alone.
  if (way == "inertia") return Json::array({value, value, value, 0.0, 0.0, 0.0});
  return value;
}

}  // namespace

bool is_planar(const Json& document) {
  if (!document.is_object()) return false;
  const auto dimension = document.find("dimension");
  return dimension != document.end() && *dimension == 2;
}

void lift_into_space(Json& document, const std::vector<LiftedValue>& lifted) {
  for (const LiftedValue& at : lifted) {
    Json& value = document[Json::json_pointer(at.path)];
    value = lifted_value(value, at.way);
  }
}

std::vector<Issue> check_against_schema(Json& document, const Json& schema, std::vector<RenamedKey>* renamed,
                                        std::vector<LiftedValue>* lifted) {
  Checker checker(schema, is_planar(document));
  checker.check(document, schema, "");
  if (lifted != nullptr) *lifted = checker.take_lifted();
  if (renamed != nullptr) *renamed = checker.take_renamed();
  return checker.take_issues();
}

}  // namespace bulwark
