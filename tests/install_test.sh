#!/usr/bin/env bash
# Installs a build into a prefix, moves the prefix, and uses it as a stranger would:  install_test.sh BUILD_FOLDER
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/moved"
prefix=$folder/moved

if grep -rnE "$source|$build|$folder" "$prefix"/lib/cmake/bulwark; then
  echo "the CMake package names paths of the machine it was built on"
  exit 1
fi

cmake -S "$source/tests/install" -B "$folder/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$folder/consumer"
"$folder/consumer/consumer"

cd /
"$prefix/bin/bulwark" version
scenes=$("$prefix/bin/bulwark" scenes)
echo "$scenes"
if ! grep -q "in $prefix/share/bulwark/scenes" <<<"$scenes"; then
  echo "the installed program does not use the installed scenes"
  exit 1
fi
