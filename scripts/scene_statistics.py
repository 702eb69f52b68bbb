#!/usr/bin/env python3
"""Prints a table of what runs cost: one line per run folder (bulwark run SCENE -o FOLDER), from its steps.csv and summary.json.

usage: scripts/scene_statistics.py FOLDER...

Columns: bodies that move, controls, step (s), friction, most and mean contacts per step, Newton iterations per step, milliseconds per
iteration (wall time of the steps, without output), largest deviation of a stiff body from a rigid motion, largest error of a joint's equations.
"""
import csv
import json
import pathlib
import sys

COLUMNS = ["scene", "bodies", "controls", "step", "steps", "friction", "C max", "C mean", "iterations/step", "ms/iteration", "rigidity error", "joint error"]


def number(text):
    try:
        return float(text)
    except ValueError:
        return 0.0


def joint_error(folder):
    """The largest `error` of joints.csv, which may be long: read by lines."""
    file = folder / "joints.csv"
    largest = 0.0
    if file.exists():
        with file.open(newline="") as lines:
            for row in csv.DictReader(lines):
                largest = max(largest, abs(number(row["error"])))
    return largest


def statistics(folder):
    summary = json.loads((folder / "summary.json").read_text())
    scene = summary["scene"]["resolved"]
    with (folder / "steps.csv").open(newline="") as lines:
        steps = list(csv.DictReader(lines))
    iterations = sum(int(s["newton_iterations"]) for s in steps)
    contacts = [int(s["contacts"]) for s in steps]
    seconds = sum(float(s["seconds"]) for s in steps)
    copies = [b.get("repeat", {}).get("count", [1, 1, 1]) for b in scene["bodies"] if b["kind"] != "obstacle"]
    return [folder.name, sum(x * y * z for x, y, z in copies), summary["counts"]["controls"], f'{scene["time"]["step"]:.3g}', len(steps),
            scene["contact"]["friction"], max(contacts), f"{sum(contacts) / len(steps):.1f}", f"{iterations / len(steps):.1f}",
            f"{1000 * seconds / max(iterations, 1):.1f}", f'{summary["worst_rigidity_error"]:.1e}', f"{joint_error(folder):.0e}"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + " --- |" * len(COLUMNS))
    for argument in sys.argv[1:]:
        print("| " + " | ".join(str(value) for value in statistics(pathlib.Path(argument))) + " |")


if __name__ == "__main__":
    main()
