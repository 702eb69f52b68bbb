#include "peer_program.hpp"

#include <bulwark/base/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>

namespace bulwark::app {
namespace {

/// Our environment with other numbers of threads.
std::vector<std::string> environment_with_threads(int threads) {
  const std::vector<std::string> names = {
      "OMP_NUM_THREADS=", "OPENBLAS_NUM_THREADS=", "CCX_NPROC_EQUATION_SOLVER="};
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    bool ours = false;
    for (const std::string& name : names) ours = ours || text.starts_with(name);
    if (!ours) variables.push_back(text);
  }
  for (const std::string& name : names) variables.push_back(name + std::to_string(threads));
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "bulwark-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw OutputError(
        fmt::format("{}: no temporary folder can be made: {}; set TMPDIR to one that can be written", name,
                    std::strerror(errno)));
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

PeerRun run_peer(const std::vector<std::string>& arguments, const std::filesystem::path& folder, int threads,
                 double patience) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::string> texts = arguments, variables = environment_with_threads(threads);
  const std::vector<char*> argv = pointers_to(texts), environment = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "output.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const Clock::time_point start = Clock::now();
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  PeerRun run;
  if (error != 0) return run;
  const Clock::time_point give_up =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience));
  int status = 0;
  rusage used{};
  while (wait4(child, &status, WNOHANG, &used) == 0) {
    if (Clock::now() > give_up) {
      kill(child, SIGTERM);
      wait4(child, &status, 0, &used);
      return run;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  run.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  run.processor_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

std::string last_words(const std::filesystem::path& folder) {
  std::ifstream file(folder / "output.txt");
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace bulwark::app
