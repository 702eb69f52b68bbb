// What machine a result was made on: part of every summary and benchmark.
#pragma once

#include <string>

namespace bulwark {

struct Machine {
  std::string processor;
  unsigned hardware_threads = 0;
  int threads_used = 0;
  std::string system;
};

Machine this_machine();

}  // namespace bulwark
