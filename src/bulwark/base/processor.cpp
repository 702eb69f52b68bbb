#include <bulwark/base/processor.hpp>

#include <stdio.h>

namespace bulwark {

const char* missing_instructions(bool avx2, bool fma) {
  if (avx2 && fma) return nullptr;
  static char message[400];
  snprintf(
      message, sizeof message,
      "this processor lacks %s, which Bulwark needs: run it on an Intel processor from 2013 on (Haswell) or "
      "an AMD processor from 2015 on (Excavator, Zen); in a virtual machine, let it have the host's "
      "processor type (for QEMU, -cpu host)",
      avx2  ? "FMA instructions"
      : fma ? "AVX2 instructions"
            : "AVX2 and FMA instructions");
  return message;
}

const char* missing_instructions_here() {
  __builtin_cpu_init();
  return missing_instructions(__builtin_cpu_supports("avx2"), __builtin_cpu_supports("fma"));
}

}  // namespace bulwark
