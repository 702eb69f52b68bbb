#!/usr/bin/env bash
# Builds everything with the sanitizers, the tests too, and runs all quick ones.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset asan
cmake --build --preset asan
ctest --preset asan -j2 -LE slow
