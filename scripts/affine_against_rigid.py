#!/usr/bin/env python3
"""Imports scenes of rigid-ipc as affine and as rigid bodies, runs both, and prints how far apart they go: one line per scene.

usage: scripts/affine_against_rigid.py [options] FILE_OR_FOLDER...

Columns: bodies that move; steps that both did; the largest way of a body's center (m); the largest difference of centers after a quarter
of the steps, half of them and all (m); the first step at which a difference is more than a ten-thousandth of the scene's length, where
there is one: there chaos, or something wrong, has begun.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from stiff_runs import moving_bodies, run_for, scene_files  # noqa: E402

COLUMNS = ["scene", "bodies", "steps", "way", "quarter", "half", "all", "apart at"]
APART = 1e-4  # of the scene's length


def places(folder):
    """Centers of the bodies, by step and body; a run that was ended may stop in the middle of a step."""
    steps = {}
    with (folder / "bodies.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            if row["z"]:
                steps.setdefault(int(row["step"]), {})[row["body"]] = tuple(float(row[axis]) for axis in "xyz")
    whole = len(steps[0])
    return {step: centers for step, centers in steps.items() if len(centers) == whole}


def compare(file, options, folder, log):
    runs, summary = [], None
    for kind in ("affine", "rigid"):
        scene, out = folder / f"{kind}.json", folder / kind
        subprocess.run([options.program, "import", file, "-o", scene] + (["--rigid"] if kind == "rigid" else []), stdout=log,
                       stderr=subprocess.STDOUT, check=True)
        overrides = [word for assignment in ["/output/every=1000000"] + options.set for word in ("--set", assignment)]
        run_for([options.program, "run", scene, "-o", out, "--force", "--threads", "1", "--steps", str(options.steps)] + overrides, options.limit, log)
        if not (out / "bodies.csv").exists():
            return ["-"] * (len(COLUMNS) - 1)
        runs.append(places(out))
        summary = json.loads((out / "summary.json").read_text())
    length = summary["derived"]["length"]
    steps = sorted(runs[0].keys() & runs[1].keys())
    way, largest, apart, so_far = 0.0, 0.0, "", []
    for step in steps:
        for body, center in runs[0][step].items():
            way = max(way, math.dist(center, runs[0][0][body]))
            largest = max(largest, math.dist(center, runs[1][step][body]))
        if largest > APART * length and not apart:
            apart = step
        so_far.append(largest)
    last = len(steps) - 1
    return [moving_bodies(summary["scene"]["resolved"]), last, f"{way:.1e}", f"{so_far[last // 4]:.0e}", f"{so_far[last // 2]:.0e}",
            f"{so_far[last]:.0e}", apart]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE_OR_FOLDER")
    parser.add_argument("--program", default="build/release/bin/bulwark")
    parser.add_argument("--steps", type=int, default=100, help="of each scene (100)")
    parser.add_argument("--limit", type=float, default=60, help="seconds for each run (60)")
    parser.add_argument("--set", action="append", default=[], metavar="POINTER=VALUE", help="as for bulwark run; /solver/tolerance=1e-5, say")
    parser.add_argument("--match", default="", help="only scenes whose name has this regular expression")
    parser.add_argument("--log", default="affine_against_rigid.log", help="what the program prints (affine_against_rigid.log)")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + " --- |" * len(COLUMNS), flush=True)
    with open(options.log, "w", encoding="utf-8") as log:
        for file, name in scene_files(options.files):
            if re.search(options.match, name):
                with tempfile.TemporaryDirectory() as folder:
                    row = compare(file, options, pathlib.Path(folder), log)
                print("| " + " | ".join(map(str, [name] + row)) + " |", flush=True)


if __name__ == "__main__":
    main()
