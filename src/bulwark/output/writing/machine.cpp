#include <bulwark/base/parallel.hpp>
#include <bulwark/output/writing/machine.hpp>

#include <sys/utsname.h>

#include <fstream>
#include <thread>

namespace bulwark {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

}  // namespace

Machine this_machine() {
  utsname system{};
  uname(&system);
  return {processor_name(), std::thread::hardware_concurrency(), thread_count(),
          std::string(system.sysname) + " " + system.release};
}

}  // namespace bulwark
