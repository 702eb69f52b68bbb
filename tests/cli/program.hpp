// Runs the built program as a user would: as its own process, with its exit code, output and signals.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <output/temporary_folder.hpp>
#include <string>
#include <vector>

namespace bulwark {

struct ProgramResult {
  int exit_code = 0;   ///< 128 + signal when a signal ended it
  std::string output;  ///< standard output and error together
};

class RunningProgram {
 public:
  /// Starts `bulwark ARGUMENTS` in `folder`. With a limit, files can't grow past that many bytes: a full
  /// disk.
  RunningProgram(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 rlim_t file_size_limit = RLIM_INFINITY)
      : log_(folder / "program_output.txt") {
    process_ = fork();
    if (process_ != 0) return;
    const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(99);
    const rlimit limit{file_size_limit, RLIM_INFINITY};
    if (file_size_limit != RLIM_INFINITY) setrlimit(RLIMIT_FSIZE, &limit);
    std::vector<char*> pointers = {const_cast<char*>(BULWARK_PROGRAM)};
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    execv(BULWARK_PROGRAM, pointers.data());
    _exit(98);
  }

  void send(int signal) const { kill(process_, signal); }
  bool has_ended() {
    if (!ended_) ended_ = waitpid(process_, &status_, WNOHANG) == process_;
    return ended_;
  }
  ProgramResult wait() {
    if (!ended_) waitpid(process_, &status_, 0);
    ended_ = true;
    return {WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_), read_all(log_)};
  }

 private:
  std::filesystem::path log_;
  pid_t process_ = 0;
  int status_ = 0;
  bool ended_ = false;
};

inline ProgramResult bulwark_program(const std::filesystem::path& folder,
                                     const std::vector<std::string>& arguments,
                                     rlim_t file_size_limit = RLIM_INFINITY) {
  return RunningProgram(folder, arguments, file_size_limit).wait();
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A soft box that falls on a floor and touches it after some steps.
inline std::string falling_box_scene() {
  return R"({
  "bulwark": 1,
  "title": "Falling box",
  "time": { "step": 0.01, "steps": 40 },
  "materials": { "rubber": { "model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4 } },
  "bodies": [
    { "name": "floor", "kind": "obstacle", "shape": { "box": [4, 0.2, 4] }, "position": [0, -0.1, 0] },
    { "name": "box", "kind": "deformable", "shape": { "box": [1, 1, 1], "resolution": 0.34 }, "material": "rubber",
      "position": [0, 0.55, 0], "rotation": { "axis": [1, 0, 1], "degrees": 3 }, "velocity": [0.5, -1, 0] }
  ],
  "contact": { "friction": 0.3 }
})";
}

}  // namespace bulwark
