#!/usr/bin/env bash
# Builds the fuzzers into build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake -S tests/fuzz -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=None
cmake --build build/fuzz
