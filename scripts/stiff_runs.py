#!/usr/bin/env python3
"""Runs scenes of stiff bodies and prints a table of how they went: one line per scene, as soon as it is done.

usage: scripts/stiff_runs.py [options] FILE_OR_FOLDER...

A FILE is a scene of ours, or a scene file of rigid-ipc, which is imported first; of a FOLDER all .json files are taken. For example

  scripts/stiff_runs.py rigid-ipc/fixtures/3D              every fixture as affine bodies, 100 steps of each
  scripts/stiff_runs.py --rigid rigid-ipc/fixtures/3D      as rigid bodies
  scripts/stiff_runs.py --steps 50 --limit 60 scenes/affine            what the shipped scenes do

Columns: bodies that move; steps reached of the steps wanted; seconds of the steps; Newton iterations per step, mean and largest; steps
solved in parts; smallest distance (m); largest deviation of a stiff body from a rigid motion (a strain), and the step it is at;
what `bulwark check` says of the run's frames; exit code of the run, `limit` where its time ended it.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

COLUMNS = ["scene", "bodies", "steps", "seconds", "iterations/step", "most", "in parts", "distance", "rigidity error", "at", "check", "exit"]
GRACE = 60  # s: an interrupted run ends with its step, and writes what it has


def scene_files(arguments):
    for argument in map(pathlib.Path, arguments):
        if argument.is_dir():
            for file in sorted(argument.rglob("*.json")):
                yield file, str(file.relative_to(argument).with_suffix(""))
        else:
            yield argument, argument.stem


def run_for(command, seconds, log):
    """Exit code, or "limit" where the time ended it."""
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
    try:
        return process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return "limit"


def rows(file):
    """A table of the run; a run that was killed may end in half a line."""
    if not file.exists():
        return []
    with file.open(newline="") as lines:
        return [row for row in csv.DictReader(lines) if None not in row.values()]


def moving_bodies(scene):
    copies = [body.get("repeat", {}).get("count", [1]) for body in scene["bodies"] if body["kind"] != "obstacle"]
    return sum(math.prod(counts) for counts in copies)


def is_rigid_ipc(file):
    return "rigid_body_problem" in file.read_text(encoding="utf-8")


def steps_of(scene, overrides, options):
    """The scene's own number of steps, or what is asked for where that is less."""
    said = subprocess.run([options.program, "validate", scene] + overrides, capture_output=True, text=True).stdout
    found = re.search(r"(\d+) steps of", said)
    whole = int(found[1]) if found else options.steps
    return min(whole, options.steps or whole)


def run(file, options, folder, log):
    scene = file
    if is_rigid_ipc(file):
        scene = folder / "scene.json"
        imported = subprocess.run([options.program, "import", file, "-o", scene] + (["--rigid"] if options.rigid else []),
                                  stdout=log, stderr=subprocess.STDOUT).returncode
        if imported != 0:
            return ["-"] * (len(COLUMNS) - 2) + [f"import: {imported}"]
    out = folder / "run"
    overrides = [word for assignment in options.set for word in ("--set", assignment)]
    steps_wanted = steps_of(scene, overrides, options)
    code = run_for([options.program, "run", scene, "-o", out, "--force", "--threads", str(options.threads), "--steps", str(steps_wanted)] + overrides,
                   options.limit, log)
    if not (out / "summary.json").exists():
        return ["-"] * (len(COLUMNS) - 2) + [code]
    summary = json.loads((out / "summary.json").read_text())
    resolved = summary["scene"]["resolved"]
    steps = rows(out / "steps.csv")
    solves = rows(out / "solves.csv")[:len(steps)]
    iterations = [int(s["newton_iterations"]) for s in steps] or [0]
    errors = [float(s["rigidity_error"]) for s in solves] or [0.0]
    distance = min((float(s["min_distance"]) for s in steps), default=float("inf"))
    check = subprocess.run([options.program, "check", out], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    log.write(check.stdout)
    return [moving_bodies(resolved), f"{len(steps)}/{steps_wanted}", f'{sum(float(s["seconds"]) for s in steps):.1f}',
            f"{sum(iterations) / len(iterations):.1f}", max(iterations), sum(int(s["substeps"]) > 1 for s in solves), f"{distance:.1e}",
            f"{max(errors):.1e}", errors.index(max(errors)) + 1, "clean" if check.returncode == 0 else f"exit {check.returncode}", code]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE_OR_FOLDER")
    parser.add_argument("--program", default="build/release/bin/bulwark")
    parser.add_argument("--rigid", action="store_true", help="import rigid-ipc files as rigid bodies")
    parser.add_argument("--steps", type=int, default=100, help="of each scene (100); 0: to its end")
    parser.add_argument("--limit", type=float, default=120, help="seconds for each scene (120)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="POINTER=VALUE", help="as for bulwark run")
    parser.add_argument("--match", default="", help="only scenes whose name has this regular expression")
    parser.add_argument("--log", default="stiff_runs.log", help="what the program prints (stiff_runs.log)")
    options = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + " --- |" * len(COLUMNS), flush=True)
    failures = 0
    with open(options.log, "w", encoding="utf-8") as log:
        for file, name in scene_files(options.files):
            if not re.search(options.match, name):
                continue
            log.write(f"== {name}\n")
            log.flush()
            with tempfile.TemporaryDirectory() as folder:
                row = run(file, options, pathlib.Path(folder), log)
            failures += row[-1] not in (0, "limit") or row[-2] != "clean"
            print("| " + " | ".join(map(str, [name] + row)) + " |", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
