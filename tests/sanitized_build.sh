#!/usr/bin/env bash
# Builds the given test programs with the sanitizers:  sanitized_build.sh TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset asan
cmake --build --preset asan --target "$@"
