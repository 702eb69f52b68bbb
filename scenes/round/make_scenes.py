#!/usr/bin/env python3
"""Writes the scenes of round bodies whose places are computed: the capsule chain, the bag of marbles and the knot.

Run it in any folder after a change: it overwrites scenes/round/*.json of these names, and their meshes.
"""
import json
import math
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent


def write(name, comment, title, time, materials, bodies, extra):
    lines = ["// " + line if line else "//" for line in comment.strip().split("\n")]
    scene = {"bulwark": 1, "title": title, "time": time, "materials": materials}
    text = "\n".join(lines) + "\n{\n"
    text += ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in scene.items())
    text += ',\n  "bodies": [\n' + ",\n".join("    " + json.dumps(body) for body in bodies) + "\n  ]"
    for key, value in extra.items():
        text += f',\n  "{key}": {json.dumps(value)}'
    (HERE / f"{name}.json").write_text(text + "\n}\n")


def rounded(numbers, digits=6):
    return [round(x, digits) for x in numbers]


def capsule_chain():
    """Links of eight capsules each, an elongated ring, every other one turned by a quarter about the chain."""
    radius, wide, straight, links = 0.008, 0.05, 0.06, 12
    corners = []
    for k in range(8):
        angle = math.pi / 8 + k * math.pi / 4
        corners.append((0.5 * straight * (1 if math.cos(angle) > 0 else -1) + 0.5 * wide * math.cos(angle), 0.5 * wide * math.sin(angle)))
    shapes = []
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1]):
        length = math.hypot(x2 - x1, y2 - y1)
        degrees = math.degrees(math.atan2(y2 - y1, x2 - x1)) - 90
        shapes.append({"shape": {"capsule": {"radius": radius, "height": round(length + 2 * radius, 9)}},
                       "position": rounded([(x1 + x2) / 2, (y1 + y2) / 2, 0], 9), "rotation": {"axis": [0, 0, 1], "degrees": round(degrees, 9)}})
    pitch = straight + wide * math.cos(math.pi / 8) - 2 * radius - 0.003
    bodies = [{"name": "ground", "kind": "obstacle", "shape": {"plane": {"point": [0, -1.2, 0]}}}]
    for k in range(links):
        body = {"name": f"link-{k + 1}", "kind": "rigid", "shapes": shapes, "material": "steel", "position": rounded([k * pitch, 0, 0], 9)}
        if k % 2 == 1:
            body["rotation"] = {"axis": [1, 0, 0], "degrees": 90}
        if k == 0:
            body["fixed"] = True
        bodies.append(body)
    write("capsule_chain", """
A chain of twelve links, each of eight capsules, hangs by its first link and swings down.

Right: each link stays in its neighbours; the chain swings as a pendulum that is stretched at its lowest point, and no two links intersect.""",
          "A chain of capsules", {"step": 0.005, "duration": 1.0}, {"steel": {"model": "rigid", "density": 7800}}, bodies,
          {"contact": {"friction": 0.1}, "output": {"every": 2}})


def marbles():
    """Marbles fall into a cloth that hangs by its corners."""
    shuffle = random.Random(3)
    bodies = [{"name": "bag", "kind": "shell", "shape": {"grid": {"size": [0.5, 0.5], "cells": [16, 16]}}, "material": "cloth", "position": [0, 0, 0],
               "fixed": [{"selection": {"box": [[s * 0.25 - 0.02, -0.01, t * 0.25 - 0.02], [s * 0.25 + 0.02, 0.01, t * 0.25 + 0.02]]}}
                         for s in (-1, 1) for t in (-1, 1)]}]
    number = 0
    for layer in range(4):
        for i in range(4):
            for k in range(4):
                number += 1
                radius = round(0.014 + 0.006 * shuffle.random(), 4)
                place = [(i - 1.5) * 0.05 + 0.004 * shuffle.random(), 0.04 + 0.06 * layer, (k - 1.5) * 0.05 + 0.004 * shuffle.random()]
                bodies.append({"name": f"marble-{number}", "kind": "rigid", "shape": {"sphere": radius}, "material": "glass", "position": rounded(place)})
    write("marbles", """
Sixty-four marbles of different sizes fall into a cloth that hangs by its corners.

Right: the cloth sags into a bag that holds all of them; they roll into its middle and lie on top of each other. No marble is in the cloth,
whose thickness is 2 mm, or in another one.""",
          "A bag of marbles", {"step": 0.01, "duration": 1.0},
          {"cloth": {"model": "cloth", "density": 400, "thickness": 2e-3, "young": 1e6, "poisson": 0.3, "bending_young": 2e4},
           "glass": {"model": "rigid", "density": 2500}}, bodies,
          {"contact": {"friction": 0.2}, "output": {"every": 2}})


def knot():
    """A long trefoil, (t^3 - 3t, t^4 - 4t^2, t^5/5 - 2t), in pieces of equal length."""
    unit, end, pieces = 0.02, 2.35, 120
    fine = 20000

    def at(t):
        return [unit * (t ** 3 - 3 * t), unit * 0.55 * (t ** 4 - 4 * t ** 2), unit * 0.5 * (0.2 * t ** 5 - 2 * t)]
    curve = [at(end * (2 * k / fine - 1)) for k in range(fine + 1)]
    along = [0.0]
    for a, b in zip(curve, curve[1:]):
        along.append(along[-1] + math.dist(a, b))
    points, k = [], 0
    for piece in range(pieces + 1):
        wanted = along[-1] * piece / pieces
        while k < fine and along[k + 1] < wanted:
            k += 1
        points.append(curve[min(k, fine)])
    text = "# The centre line of an overhand knot.\n" + "".join("v {} {} {}\n".format(*rounded(p)) for p in points)
    text += "l " + " ".join(str(i + 1) for i in range(pieces + 1)) + "\n"
    (HERE / "meshes").mkdir(exist_ok=True)
    (HERE / "meshes/overhand.obj").write_text(text)
    pull = 0.12
    bodies = [{"name": "rope", "kind": "rod", "mesh": "meshes/overhand.obj", "material": "rope",
               "fixed": [{"selection": {"nodes": [0, 1]}, "motion": {"linear": [-pull, 0.2 * pull, 0]}},
                         {"selection": {"nodes": [pieces - 1, pieces]}, "motion": {"linear": [pull, 0.2 * pull, 0]}}]}]
    write("knot", """
A rope of 6 mm thickness lies in a loose overhand knot, and its ends are pulled apart.

Right: the loop closes and the knot tightens until the rope lies against itself; it does not pass through itself. The tension in the rope rises
when the knot is tight.""",
          "A knot that tightens", {"step": 0.01, "duration": 1.6},
          {"rope": {"model": "rod", "density": 800, "radius": 3e-3, "young": 2e6, "bending_young": 2e5, "twisting_shear": 2e5}}, bodies,
          {"gravity": [0, 0, 0], "contact": {"friction": 0.1}, "output": {"every": 4}})


if __name__ == "__main__":
    capsule_chain()
    marbles()
    knot()
