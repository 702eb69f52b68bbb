#!/usr/bin/env bash
# clang-tidy over the sources of a build folder:  tidy_test.sh BUILD_FOLDER [FILE...]
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
files=("$@")
if [ ${#files[@]} -eq 0 ]; then mapfile -t files < <(find src apps -name '*.cpp' | sort); fi
# The build's precompiled header is gcc's own; clang reads the headers themselves.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
sed -E 's/-Winvalid-pch //; s/-include [^ ]*cmake_pch\.hxx //; s/-fpch-preprocess //' "$build/compile_commands.json" > "$database/compile_commands.json"
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy-19 --quiet --extra-arg=-Wno-unknown-warning-option -p "$database"
