#!/usr/bin/env python3
"""The study of docs/restitution.md: a falling box and a rotating board under many parameters, as tables and a plot.

    scripts/restitution_study.py [--program build/release/bin/bulwark] [--picture docs/images/restitution.svg]

Runs the program on the box alone and on the board alone, prints the tables of the page, and draws energy over time.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import tempfile

GRAVITY, HEIGHT, MASS = 8.0, 1.0, 1000.0
STUDY = {"distance": 0.064, "stiffness": 2.4e7}


def scene(integrator, step, duration, contact, young=1e9):
    return {
        "bulwark": 1,
        "time": {"step": step, "duration": duration, "integrator": integrator},
        "gravity": [0, -GRAVITY, 0],
        "bodies": [
            {"name": "ground", "kind": "obstacle", "shape": {"plane": {}}},
            {"name": "box", "kind": "affine", "shape": {"box": [1, 1, 1]}, "position": [0, 0.5 + HEIGHT, 0],
             "material": {"model": "affine", "density": MASS, "stiffness": young}},
        ],
        "contact": contact,
        "solver": {"tolerance": 1e-4},
        "output": {"every": 1000000, "fields": [], "bodies_csv": False},
    }


def resting_energy(contact):
    """Where four corners' barriers carry the box: gravity's and the barrier's energy."""
    end, stiffness = contact["distance"] ** 2, contact["stiffness"]

    def force(d):
        D = d * d
        return -4 * stiffness * 2 * d * (end - D) * (2 * math.log(D / end) - end / D + 1)

    low, high = 1e-12, contact["distance"]
    for _ in range(200):
        d = 0.5 * (low + high)
        low, high = (d, high) if force(d) > MASS * GRAVITY else (low, d)
    D = low * low
    return MASS * GRAVITY * (0.5 + low) - 4 * stiffness * (D - end) ** 2 * math.log(D / end)


def tables_of(program, content, *names):
    """The rows of the named tables of a run of the scene."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "scene.json"
        file.write_text(json.dumps(content))
        subprocess.run([program, "run", str(file), "-o", folder + "/out"], check=True, stdout=subprocess.DEVNULL)
        return [list(csv.DictReader((pathlib.Path(folder) / "out" / name).open())) for name in names]


def run(program, integrator, step, contact, duration=0.9):
    """Times, total energies as parts of the first (0 is the box at rest on the ground), and numbers of contacts."""
    (rows,) = tables_of(program, scene(integrator, step, duration, contact), "steps.csv")
    start, rest = MASS * GRAVITY * (0.5 + HEIGHT), resting_energy(contact)
    times = [float(row["time"]) for row in rows]
    energies = [(float(row["total"]) - rest) / (start - rest) for row in rows]
    return times, energies, [int(row["contacts"]) for row in rows]


def left_after_a_bounce(*arguments):
    """When the box leaves the ground for the first time, or at the end if it does not."""
    _, energies, contacts = run(*arguments)
    for number in range(1, len(contacts)):
        if contacts[number - 1] > 0 and contacts[number] == 0:
            return energies[number]
    return energies[-1]


def curve(name, *arguments):
    times, energies, _ = run(*arguments)
    return name, times, energies


# A board of 1 m on a shaft, without gravity, that turns at 1.25 rad/s towards a limit 30 degrees away.
BOARD = {"limits_degrees": [-30, 30], "width_degrees": 4, "limit_stiffness": 5}
BOARD_SPEED = math.degrees(1.25)


def board_scene(integrator, step, duration, limit):
    return {
        "bulwark": 1,
        "time": {"step": step, "duration": duration, "integrator": integrator},
        "gravity": [0, 0, 0],
        "bodies": [
            {"name": "board", "kind": "affine", "shape": {"box": [1, 0.5, 0.02]}, "position": [0.5, 0, 0],
             "velocity": [0, 0, -0.5 * 1.25], "angular_velocity_degrees": [0, BOARD_SPEED, 0],
             "material": {"model": "affine", "density": 1000, "stiffness": 1e9}},
        ],
        "joints": [dict({"name": "shaft", "kind": "hinge", "bodies": ["board", "world"], "point": [0, 0, 0],
                         "axis": [0, 1, 0]}, **limit)],
        "solver": {"tolerance": 1e-4},
        "output": {"every": 1000000, "fields": [], "bodies_csv": False},
    }


def board_run(program, integrator, step, limit, duration=1.0):
    """Times, energies as parts of the first, and angles."""
    rows, joints = tables_of(program, board_scene(integrator, step, duration, limit), "steps.csv", "joints.csv")
    start = 0.5 * 10 * (1 + 0.02 ** 2 / 4) / 3 * 1.25 ** 2
    return ([float(row["time"]) for row in rows], [float(row["total"]) / start for row in rows],
            [float(row["angle_degrees"]) for row in joints])


def board_left_after_a_bounce(*arguments):
    """When the limit has let the board go for the first time, or at the end if it does not."""
    _, energies, angles = board_run(*arguments)
    limit = arguments[-1]
    pushed = False
    for energy, angle in zip(energies, angles):
        inside = angle > limit["limits_degrees"][1] - limit["width_degrees"]
        if pushed and not inside:
            return energy
        pushed = pushed or inside
    return energies[-1]


def board_curve(name, *arguments):
    times, energies, _ = board_run(*arguments)
    return name, times, energies


def table(title, rows):
    print(f"\n{title}\n")
    for number, row in enumerate(rows):
        print("| " + " | ".join(row) + " |")
        if number == 0:
            print("| " + " | ".join("---" for _ in row) + " |")


def part(value):
    return f"{value:.3f}"


COLORS = ["#1f6fb2", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#555555"]


def plot(curves, title, left, top, width, height):
    """One diagram: curves is a list of (name, times, energies)."""
    longest = max(times[-1] for _, times, _ in curves)

    def point(time, energy):
        return f"{left + width * time / longest:.1f},{top + height * (1 - energy / 1.05):.1f}"

    parts = [f'<text x="{left}" y="{top - 10}" font-weight="bold">{title}</text>']
    for energy in (0, 0.25, 0.5, 0.75, 1):
        x, y = point(0, energy).split(",")
        parts.append(f'<path d="M{x} {y}h{width}" stroke="#dddddd"/>')
        parts.append(f'<text x="{left - 6}" y="{float(y) + 4}" text-anchor="end">{energy:g}</text>')
    time = 0.0
    while time <= longest + 1e-9:
        x, y = point(time, 0).split(",")
        parts.append(f'<text x="{x}" y="{float(y) + 18}" text-anchor="middle">{time:g}</text>')
        time += 0.5
    for number, (name, times, energies) in enumerate(curves):
        # A few hundred points are enough for the eye.
        stride = max(1, len(times) // 400)
        path = " ".join(point(t, e) for t, e in zip(times[::stride], energies[::stride]))
        color = COLORS[number % len(COLORS)]
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="1.6"/>')
        y = top + height + 40 + 16 * number
        parts.append(f'<path d="M{left} {y - 4}h24" stroke="{color}" stroke-width="3"/>')
        parts.append(f'<text x="{left + 30}" y="{y}">{name}</text>')
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/bulwark")
    parser.add_argument("--picture", default="docs/images/restitution.svg")
    options = parser.parse_args()
    program = options.program

    steps = [0.02, 0.01, 0.005, 0.002, 0.001, 0.0005]
    rows = [["integrator"] + [f"h = {step:g}" for step in steps]]
    for integrator in ("implicit-euler", "bdf2", "newmark"):
        rows.append([integrator] + [part(left_after_a_bounce(program, integrator, step, STUDY)) for step in steps])
    table("Energy left after a bounce, by integrator and step", rows)

    factors = [0.1, 0.3, 1, 3, 10, 100]
    rows = [["stiffness"] + [f"{factor * STUDY['stiffness']:.2g}" for factor in factors], ["energy left"]]
    for factor in factors:
        contact = dict(STUDY, stiffness=factor * STUDY["stiffness"])
        rows[1].append(part(left_after_a_bounce(program, "bdf2", 0.001, contact)))
    table("BDF-2, h = 0.001: by stiffness, at the distance 0.064", rows)

    distances = [0.008, 0.016, 0.032, 0.064, 0.128]
    rows = [["distance"] + [f"{distance:g}" for distance in distances], ["energy left"]]
    for distance in distances:
        # The same energy of the barrier: stiffness times distance^4.
        contact = {"distance": distance, "stiffness": STUDY["stiffness"] * (STUDY["distance"] / distance) ** 4}
        rows[1].append(part(left_after_a_bounce(program, "bdf2", 0.001, contact)))
    table("BDF-2, h = 0.001: by distance, at the same energy of the barrier", rows)

    dampings = [0, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2]
    rows = [["restitution_damping"] + [f"{damping:g}" for damping in dampings]]
    for integrator, step in (("bdf2", 0.001), ("bdf2", 0.01), ("implicit-euler", 0.001)):
        row = [f"{integrator}, h = {step:g}"]
        for damping in dampings:
            contact = dict(STUDY, restitution_damping=damping)
            row.append(part(left_after_a_bounce(program, integrator, step, contact)))
        rows.append(row)
    table("Energy left after a bounce, by damping", rows)

    steps = [0.02, 0.01, 0.005, 0.002, 0.001]
    rows = [["integrator"] + [f"h = {step:g}" for step in steps]]
    for integrator in ("implicit-euler", "bdf2", "newmark"):
        rows.append([integrator] + [part(board_left_after_a_bounce(program, integrator, step, BOARD)) for step in steps])
    table("The board: energy left after a bounce, by integrator and step", rows)

    board_dampings = [0, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1]
    rows = [["restitution_damping"] + [f"{damping:g}" for damping in board_dampings]]
    for integrator, step in (("bdf2", 0.001), ("bdf2", 0.01), ("implicit-euler", 0.001)):
        row = [f"{integrator}, h = {step:g}"]
        for damping in board_dampings:
            limit = dict(BOARD, restitution_damping=damping)
            row.append(part(board_left_after_a_bounce(program, integrator, step, limit)))
        rows.append(row)
    table("The board: energy left after a bounce, by damping", rows)

    by_integrator = [curve(f"{integrator}, h = {step:g} s", program, integrator, step, STUDY, 2.7)
                     for integrator, step in (("bdf2", 0.001), ("bdf2", 0.01), ("implicit-euler", 0.001),
                                              ("implicit-euler", 0.01))]
    by_damping = [curve(f"restitution_damping {damping:g} s",
                        program, "bdf2", 0.001, dict(STUDY, restitution_damping=damping), 2.7)
                  for damping in (0, 3e-4, 1e-3, 3e-3)]
    board_by_integrator = [board_curve(f"{integrator}, h = {step:g} s", program, integrator, step, BOARD, 2.7)
                           for integrator, step in (("bdf2", 0.001), ("bdf2", 0.01), ("implicit-euler", 0.001),
                                                    ("implicit-euler", 0.01))]
    board_by_damping = [board_curve(f"restitution_damping {damping:g} s", program, "bdf2", 0.001,
                                    dict(BOARD, restitution_damping=damping), 2.7)
                        for damping in (0, 3e-3, 1e-2, 3e-2)]
    picture = "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" width="860" height="800" font-family="sans-serif" font-size="12">',
        '<rect width="860" height="800" fill="white"/>',
        plot(by_integrator, "Energy of a falling box over time (s), by integrator and step", 50, 40, 360, 240),
        plot(by_damping, "The same with BDF-2, h = 0.001 s, by damping", 480, 40, 360, 240),
        plot(board_by_integrator, "Energy of a board between its limits, by integrator and step", 50, 440, 360, 240),
        plot(board_by_damping, "The same with BDF-2, h = 0.001 s, by damping", 480, 440, 360, 240),
        "</svg>", ""])
    pathlib.Path(options.picture).write_text(picture)
    print(f"\n{options.picture}")


if __name__ == "__main__":
    main()
