// The start of a scene as a run folder, for looking at it before it is run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark::app {

/// A folder among the temporary files with a run of no steps, removed at its end.
class SceneStart {
 public:
  /// Surfaces that intersect are no hindrance here: they are warned of, and shown. Throws InputError when the
  /// scene is bad.
  SceneStart(const std::string& scene, const std::vector<std::string>& overrides);
  ~SceneStart();
  SceneStart(const SceneStart&) = delete;
  SceneStart& operator=(const SceneStart&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace bulwark::app
