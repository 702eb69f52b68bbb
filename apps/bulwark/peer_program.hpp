// Other programs that benchmarks run beside ours, in a folder of their own: what they read is written there, what
// they leave is read there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bulwark::app {

/// A folder for files that nobody needs afterwards. Throws OutputError where none can be made.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct PeerRun {
  int exit_code = -1;            ///< -1: it could not be run, was killed or took too long
  double processor_seconds = 0;  ///< of all its threads
  double wall_seconds = 0;
};

/// Runs a program in a folder with that many threads for OpenMP and BLAS; its output goes to `output.txt` there. It is
/// ended after `patience` seconds.
PeerRun run_peer(const std::vector<std::string>& arguments, const std::filesystem::path& folder, int threads,
                 double patience);

/// The last line of its output that says something: why it failed, as a rule.
std::string last_words(const std::filesystem::path& folder);

}  // namespace bulwark::app
