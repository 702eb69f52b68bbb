#!/usr/bin/env bash
# All C++ and CUDA files are formatted as .clang-format says. To format them:
#   git ls-files '*.cpp' '*.hpp' '*.cu' | xargs clang-format-19 -i
set -euo pipefail
cd "$(dirname "$0")/.."
find src apps python tests -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' | xargs -P 2 -n 20 "${1:-clang-format-19}" --dry-run -Werror
