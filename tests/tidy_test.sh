#!/usr/bin/env bash
# clang-tidy over the sources:  tidy_test.sh [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
files=("$@")
if [ ${#files[@]} -eq 0 ]; then mapfile -t files < <(find src apps -name '*.cpp' | sort); fi
# A build of single files, without precompiled headers, which are gcc's own: only configured, for its list of commands.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
cmake --preset release -B "$database" -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DBULWARK_TESTS=OFF -DBULWARK_VIEWER=OFF >/dev/null
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy-19 --quiet --extra-arg=-Wno-unknown-warning-option -p "$database"
