#!/usr/bin/env bash
# Installs Bulwark with pip into a fresh environment, and uses it from elsewhere:  pip_test.sh PYTHON [BUILD_FOLDER]
# With a build folder its files are used; without, everything is built anew.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
python=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
settings=(--config-settings "build-dir=${2:-$folder/build}")

# Debian's numpy is there; nothing is fetched.
"$python" -m venv --system-site-packages "$folder/venv"
cd "$source"
# docs/python.md: pip install .
PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 "$folder/venv/bin/pip" install . "${settings[@]}"

cd "$folder"
cat >use.py <<'END'
import sys
import bulwark

assert bulwark.__file__.startswith(sys.prefix), bulwark.__file__
assert str(bulwark.scenes_folder()).startswith(sys.prefix), bulwark.scenes_folder()
simulation = bulwark.Simulation("multibody/quickstart")
with simulation.record("run"):
    print(simulation.step(3))
END
env -u PYTHONPATH "$folder/venv/bin/python" use.py
"$folder/venv/bin/bulwark" check run
scenes=$("$folder/venv/bin/bulwark" scenes)
grep -q "in $folder/venv/share/bulwark/scenes" <<<"$scenes"
"$folder/venv/bin/pip" uninstall -q -y bulwark
test ! -e "$folder/venv/bin/bulwark"
echo "pip: installed, used, uninstalled"
