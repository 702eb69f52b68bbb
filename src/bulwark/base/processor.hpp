// Whether this processor has the instructions that Bulwark is compiled for (x86-64-v3). The source file is
// compiled without them, and uses nothing but C, so that it can run where they are missing.
#pragma once

namespace bulwark {

/// What a processor with these instructions lacks, and what to do about it, in one line; null where it lacks
/// none.
const char* missing_instructions(bool avx2, bool fma);

/// The same of the processor that this runs on.
const char* missing_instructions_here();

}  // namespace bulwark
