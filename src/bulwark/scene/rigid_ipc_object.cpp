#include <bulwark/scene/issues.hpp>
#include <bulwark/scene/nearest.hpp>
#include <bulwark/scene/rigid_ipc_object.hpp>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace bulwark {

void ImportWarnings::add(const std::string& path, const std::string& text) {
  const auto same =
      std::find_if(list_.begin(), list_.end(), [&](const Warning& warning) { return warning.text == text; });
  if (same != list_.end()) {
    ++same->places;
  } else {
    list_.push_back({path, text});
  }
}

RigidIpcObject::RigidIpcObject(const Json& json, std::string path, ImportWarnings& warnings)
    : json_(json), path_(std::move(path)), warnings_(warnings) {
  if (!json.is_object()) throw IssueFound(path_, "expected an object, found " + brief(json));
}

const Json* RigidIpcObject::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  const auto found = json_.find(key);
  return found == json_.end() || found->is_null() ? nullptr : &*found;
}

double RigidIpcObject::number(const std::string& key, double otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_number()) throw IssueFound(path_of(key), "expected a number, found " + brief(*value));
  return value->get<double>();
}

double RigidIpcObject::positive(const std::string& key, double otherwise) {
  const double value = number(key, otherwise);
  if (!(value > 0)) {
    throw IssueFound(path_of(key), "expected a number above 0, found " + brief(*find(key)));
  }
  return value;
}

int RigidIpcObject::integer(const std::string& key, int otherwise) {
  const double value = number(key, otherwise);
  if (value != std::floor(value) || std::abs(value) > std::numeric_limits<int>::max()) {
    throw IssueFound(path_of(key), "expected a whole number, found " + brief(*find(key)));
  }
  return static_cast<int>(value);
}

bool RigidIpcObject::boolean(const std::string& key, bool otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) throw IssueFound(path_of(key), "expected true or false, found " + brief(*value));
  return value->get<bool>();
}

std::string RigidIpcObject::text(const std::string& key, const std::string& otherwise) {
  const Json* value = find(key);
  if (value == nullptr) return otherwise;
  if (!value->is_string()) throw IssueFound(path_of(key), "expected a string, found " + brief(*value));
  return value->get<std::string>();
}

Vector3 RigidIpcObject::vector(const std::string& key, const Vector3& otherwise) {
  const Json* value = find(key);
  return value == nullptr ? otherwise : read_rigid_ipc_vector(*value, path_of(key));
}

std::array<bool, 6> RigidIpcObject::booleans(const std::string& key) {
  std::array<bool, 6> result = {};
  const Json* value = find(key);
  if (value == nullptr) return result;
  if (value->is_boolean()) {
    result.fill(value->get<bool>());
    return result;
  }
  if (!value->is_array() || value->size() < result.size()) {
    throw IssueFound(path_of(key), "expected true, false or 6 of them, found " + brief(*value),
                     "3 translations along and 3 rotations about the axes");
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Json& item = (*value)[i];
    if (!item.is_boolean()) {
      throw IssueFound(pointer_to(path_of(key), i), "expected true or false, found " + brief(item));
    }
    result[i] = item.get<bool>();
  }
  return result;
}

void RigidIpcObject::leave_out(const std::string& key, const std::string& why) {
  if (has(key)) warn(key, "`" + key + "` is not carried over: " + why);
}

void RigidIpcObject::warn(const std::string& key, const std::string& text) {
  warnings_.add(path_of(key), text);
}

void RigidIpcObject::warn_of_unknown_keys() {
  for (const auto& [key, value] : json_.items()) {
    if (key.starts_with('#') || std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string meant = nearest_word(key, known_);
    warn(key,
         "unknown key `" + key + "` is left out" + (meant.empty() ? "" : "; did you mean `" + meant + "`?"));
  }
}

Vector3 read_rigid_ipc_vector(const Json& value, const std::string& path) {
  if (!value.is_array() || value.size() < 3) {
    const bool planar = value.is_array() && value.size() == 2;
    throw IssueFound(path, "expected 3 numbers, found " + brief(value),
                     planar ? "other vectors of this scene have 3 numbers" : "");
  }
  Vector3 result;
  for (int i = 0; i < 3; ++i) {
    const Json& item = value[i];
    if (!item.is_number()) {
      throw IssueFound(pointer_to(path, static_cast<std::size_t>(i)),
                       "expected a number, found " + brief(item));
    }
    result[i] = item.get<double>();
  }
  return result;
}

}  // namespace bulwark
