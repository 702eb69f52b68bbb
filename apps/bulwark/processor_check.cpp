// The first thing that the program does: where the processor lacks instructions, it says so. This is before
// all initialisers of static objects, which may have such instructions in them; like processor.cpp it is
// compiled without them.
#include <bulwark/base/processor.hpp>

#include <stdio.h>
#include <unistd.h>

namespace {

/// 101 is the first priority that is free for programs.
__attribute__((constructor(101))) void check_processor() {
  const char* missing = bulwark::missing_instructions_here();
  if (missing == nullptr) return;
  dprintf(STDERR_FILENO, "error: %s\n", missing);
  _exit(2);
}

}  // namespace
