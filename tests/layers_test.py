#!/usr/bin/env python3
"""Checks rules of the source tree that no compiler checks:

- includes go only downward through the layers;
- stencils are host/device code, so they and the mathematics they use include no containers and no allocation;
- no file names a path of the machine it was written on.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LAYERS = ["base", "math", "geometry", "stencils", "bodies", "collision", "terms", "integrate", "solve", "gpu", "remesh",
          "sim", "output", "output/reading", "output/writing", "output/viewing", "output/drawing", "scene"]
# Neither knows of the other, whatever their order.
STRANGERS = [{"output/writing", "output/viewing"}, {"output/writing", "output/drawing"}]
NOT_IN_STENCILS = {"vector", "string", "memory", "map", "set", "unordered_map", "functional", "iostream", "stdexcept"}
MACHINE_PATH = "/" + "work/"

include_line = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = include_line.match(line)
        if found:
            yield number, found.group(1)


def layer_problems():
    source = ROOT / "src/bulwark"
    for path in sorted(source.rglob("*.[ch]pp")):
        name = path.relative_to(ROOT)
        layer = path.relative_to(source).parent.as_posix()
        if layer not in LAYERS:
            yield f"{name}: '{layer}' is not a layer; they are {', '.join(LAYERS)}"
            continue
        for number, header in includes(path):
            if header.startswith("bulwark/"):
                included = header.removeprefix("bulwark/").rpartition("/")[0]
                if included not in LAYERS:
                    yield f"{name}:{number}: includes {header}, which is in no layer"
                elif LAYERS.index(included) > LAYERS.index(layer):
                    yield f"{name}:{number}: {layer} includes {header}, from the layer above"
                elif {layer, included} in STRANGERS:
                    yield f"{name}:{number}: {layer} includes {header}, of which it should not know"
            elif layer == "stencils" and header in NOT_IN_STENCILS:
                yield f"{name}:{number}: a stencil includes <{header}>, which has no place in device code"


def machine_path_problems():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:  # an exported tree: nothing to list
        return
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = ROOT / name
        if path.is_file() and MACHINE_PATH in path.read_text(errors="replace"):
            yield f"{name}: names a path under {MACHINE_PATH}"


problems = [*layer_problems(), *machine_path_problems()]
print("\n".join(problems) or "layers and paths are in order")
sys.exit(1 if problems else 0)
