#include "commands.hpp"

#include <bulwark/base/parallel.hpp>

#include <fmt/format.h>

namespace bulwark::app {

int print_version() {
  fmt::print("bulwark {}\ncompiler: g++ {}\ndevices: cpu ({} threads)\n", BULWARK_VERSION, __VERSION__,
             thread_count());
  return 0;
}

}  // namespace bulwark::app
