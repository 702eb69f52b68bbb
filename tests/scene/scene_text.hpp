// Helpers of the scene tests: small scenes as text, and the message that a bad one is answered with.
#pragma once

#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <gtest/gtest.h>

#include <string>

namespace bulwark::test {

/// A scene of one soft box, with `body` keys added to the box and `top` keys to the scene (each begins with a
/// comma). Each key of the box is on a line of its own, the material's on line 6.
inline std::string box_scene(const std::string& body = "", const std::string& top = "") {
  return R"({
  "bulwark": 1,
  "time": { "steps": 10 },
  "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e6, "poisson": 0.4 } },
  "bodies": [ { "name": "block", "kind": "deformable", "shape": { "box": [1, 2, 3], "resolution": 1 },
    "material": "rubber")" +
         body + " } ]" + top + "\n}\n";
}

/// A scene of one obstacle with the given keys.
inline std::string obstacle_scene(const std::string& keys) {
  return R"({ "bulwark": 1, "time": { "steps": 1 }, "bodies": [ { "kind": "obstacle", )" + keys + " } ] }";
}

inline Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  LoadOptions options;
  options.overrides = overrides;
  return parse_scene(text, "test.json", options);
}

/// The InputError that a scene is answered with; "" when it is accepted.
inline std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "";
}

inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos)
        << "expected to read: " << part << "\nbut the message is:\n"
        << message;
  }
}

}  // namespace bulwark::test
