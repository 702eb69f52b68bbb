#!/usr/bin/env python3
"""Writes the scenes of patch-penalty contact.

Run it in any folder after a change: it overwrites the files that it names in scenes/validation.
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
G = 9.81


def write(name, comment, scene):
    lines = "".join(f"// {line}".rstrip() + "\n" for line in comment.strip().splitlines())
    (HERE / f"{name}.json").write_text(lines + json.dumps(scene, indent=1) + "\n")


def brick_slope(angle=0.25):
    normal = [math.sin(angle), math.cos(angle), 0]
    height, stiffness = 0.05, 1e8
    depth = G * math.cos(angle) * 1000 * height / stiffness
    write("brick_slope_patch", """
A brick of 1 kg (T10, 10 MPa) on a slope of 0.25 rad under patch-penalty contact of 100 MPa/m, with friction 0.25 while it sticks and 0.2
while it slides. It begins as deep in the slope as it rests.

Right result: it slides with g (sin a - 0.2 cos a) = 0.526 m/s^2. On 0.18, 0.1974 and 0.2449 rad it stays (a test turns the slope).
""", {
        "bulwark": 1,
        "title": "Brick on a slope, patch contact",
        "time": {"step": 5e-4, "steps": 1000},
        "gravity": [0, -G, 0],
        "materials": {"brick": {"model": "svk", "density": 1000, "young": 1e7, "poisson": 0.3,
                                "damping": {"kind": "kelvin-voigt", "shear": 1e3, "bulk": 1e3}}},
        "bodies": [
            {"name": "slope", "kind": "obstacle", "shape": {"plane": {"normal": normal}}},
            {"name": "brick", "kind": "deformable", "order": 2, "material": "brick", "shape": {"box": [0.2, height, 0.1], "resolution": 0.05},
             "position": [(height / 2 - depth) * c for c in normal], "rotation": {"axis": [0, 0, 1], "degrees": -math.degrees(angle)}},
        ],
        "contact": {"model": "patch-penalty", "friction": 0.2,
                    "patch_penalty": {"area_stiffness": stiffness, "static_friction": 0.25, "restitution": 0}},
    })


def oblique_impact(degrees=70):
    radius, density = 0.15, 70.7355
    angle = math.radians(degrees)
    write("oblique_impact_patch", """
A ball of 1 kg hits the floor at 1 m/s, 70 degrees from the vertical, without gravity, under patch-penalty contact: 10 MPa, restitution 0.9,
friction 0.35. The critical angle, above which it slides all through the impact, is 66.7 degrees.

Right result: of the tangential speed 1 - 0.35 (1 + 0.9)/tan 70 = 0.758 is left, the spin is 2.5 * 0.35 (1 + 0.9) cos 70 / 0.15 = 3.79 rad/s.
""", {
        "bulwark": 1,
        "title": "Oblique impact, patch contact",
        "time": {"step": 1e-4, "steps": 240},
        "gravity": [0, 0, 0],
        "materials": {"ball": {"model": "rigid", "density": density}},
        "bodies": [
            {"name": "floor", "kind": "obstacle", "shape": {"plane": {}}},
            {"name": "ball", "kind": "rigid", "material": "ball", "shape": {"sphere": radius, "resolution": 0.01, "round": False},
             "position": [0, radius + 1e-3, 0], "velocity": [math.sin(angle), -math.cos(angle), 0]},
        ],
        "contact": {"model": "patch-penalty", "friction": 0.35,
                    "patch_penalty": {"young": 1e7, "poisson": 0.3, "restitution": 0.9}},
    })


def sphere_stack():
    radius, density = 0.15, 70.7355
    apart = 2 * radius / math.sqrt(3)
    places = [[apart * math.cos(2 * math.pi * k / 3), radius, apart * math.sin(2 * math.pi * k / 3)] for k in range(3)]
    places.append([0, radius + math.sqrt(4 * radius * radius - apart * apart), 0])
    write("sphere_stack_patch", """
Three balls on the floor that touch, and a fourth on top of them, under patch-penalty contact with friction 0.6 and a little resistance to rolling.

Right result: the stack stands. With --set /contact/friction=0.05 it falls apart: the balls at the floor need tan(17.6 degrees) = 0.32.
""", {
        "bulwark": 1,
        "title": "Stack of spheres, patch contact",
        "time": {"step": 5e-4, "steps": 1000},
        "gravity": [0, -G, 0],
        "materials": {"ball": {"model": "rigid", "density": density}},
        "bodies": [{"name": "floor", "kind": "obstacle", "shape": {"plane": {}}}] + [
            {"name": f"ball {k}", "kind": "rigid", "material": "ball", "rolling_resistance": 1e-3,
             "shape": {"sphere": radius, "resolution": 0.03, "round": False}, "position": place}
            for k, place in enumerate(places)],
        "contact": {"model": "patch-penalty", "friction": 0.6,
                    "patch_penalty": {"young": 1e7, "poisson": 0.3, "restitution": 0.2}},
    })


brick_slope()
oblique_impact()
sphere_stack()
