// A short run over the fuzzer's corpus: every seed, cut short and with single bytes changed, is built or
// answered.
#include <bulwark/base/error.hpp>
#include <bulwark/scene/load.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace bulwark {
namespace {

/// Whether the scene was built; anything but an InputError ends the test.
bool is_accepted(const std::string& text) {
  LoadOptions options;
  options.base_folder = "/nonexistent";
  options.max_vertices = 5000;
  options.max_bodies = 50;
  try {
    parse_scene(text, "corpus.json", options);
    return true;
  } catch (const InputError& error) {
    EXPECT_STRNE(error.what(), "");
    return false;
  }
}

TEST(SceneCorpus, DamagedScenesAreAnswered) {
  int scenes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(BULWARK_SOURCE_DIR "/tests/fuzz/scene_corpus")) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_TRUE(is_accepted(text)) << entry.path();
    for (std::size_t length = 0; length <= text.rfind('}'); length += 7) {
      EXPECT_FALSE(is_accepted(text.substr(0, length)));
    }
    for (std::size_t i = 0; i < text.size(); i += 5) {
      for (const char replacement : {'9', '-', '"', ']', '\0'}) {
        std::string damaged = text;
        damaged[i] = replacement;
        is_accepted(damaged);
      }
    }
    ++scenes;
  }
  EXPECT_GE(scenes, 3);
}

}  // namespace
}  // namespace bulwark
