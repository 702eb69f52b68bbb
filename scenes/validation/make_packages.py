#!/usr/bin/env python3
"""Writes the scenes of a vase on foam that is shaken and of tyres that fall into a crate, with their meshes.

Run it in any folder after a change: it overwrites the files that it names in scenes/validation.
"""
import math
import pathlib
import sys

from make_mechanisms import write

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "flexible"))
from hexahedra import Hexahedra, add_cylinder, add_tube  # noqa: E402

AROUND, SIDE = 16, 4
WALL, BASE, HEIGHT = 0.006, 0.008, 0.18
RECESS, DEPTH, FOAM, THICK = 0.042, 0.02, 0.1, 0.1
PROFILE = [(0, 0.036), (0.03, 0.044), (0.07, 0.054), (0.11, 0.045), (0.145, 0.027), (0.18, 0.034)]  # height, outer radius


def profile(y):
    """The outer radius at a height: a smooth curve through the points of PROFILE."""
    n = max(k for k in range(len(PROFILE) - 1) if PROFILE[k][0] <= y + 1e-12 or k == 0)

    def slope(k):
        a, b = PROFILE[max(k - 1, 0)], PROFILE[min(k + 1, len(PROFILE) - 1)]
        return (b[1] - a[1]) / (b[0] - a[0])
    (y0, r0), (y1, r1) = PROFILE[n], PROFILE[n + 1]
    h, t = y1 - y0, (y - y0) / (y1 - y0)
    return ((2 * t ** 3 - 3 * t ** 2 + 1) * r0 + (t ** 3 - 2 * t ** 2 + t) * h * slope(n) +
            (3 * t ** 2 - 2 * t ** 3) * r1 + (t ** 3 - t ** 2) * h * slope(n + 1))


def vase_mesh():
    """Built as a cup of radius 1 and wall 0.2, then drawn to the profile."""
    mesh, inner = Hexahedra(), 0.8
    add_cylinder(mesh, inner, 0, BASE, 1, SIDE)
    add_tube(mesh, inner, 1, 0, BASE, (AROUND, 1, 1), math.pi / 4)
    add_tube(mesh, inner, 1, BASE, HEIGHT, (AROUND, 8, 1), math.pi / 4)

    def drawn(x, y, z):
        r, outer = math.hypot(x, z), profile(y)
        wanted = r / inner * (outer - WALL) if r < inner else outer - WALL * (1 - r) / (1 - inner)
        return [x * wanted / r, y, z * wanted / r] if r > 1e-9 else [0, y, 0]
    mesh.nodes = [drawn(*place) for place in mesh.nodes]
    mesh.write(HERE / "meshes" / "vase.inp", "A vase, 18 cm high, its wall 6 mm, about y (m).")


def foam_mesh():
    mesh = Hexahedra()
    floor = -DEPTH
    for low, top, layers in ((-THICK, -0.09, 1), (-0.09, floor, 2)):
        add_cylinder(mesh, RECESS, low, top, layers, SIDE)
        add_tube(mesh, RECESS, FOAM, low, top, (AROUND, layers, 2), math.pi / 4)
    add_tube(mesh, RECESS, FOAM, floor, 0, (AROUND, 1, 2), math.pi / 4)
    mesh.name("base", lambda x, y, z: y < -0.0899)
    mesh.write(HERE / "meshes" / "foam.inp", "A round pad of foam with a recess, about y (m); the set `base` is its lowest centimetre.")


def shaking(start=0.1, end=0.5, amplitude=0.005, speed=0.2):
    """There and back along x at a constant speed, from start to end."""
    keys, time, way = [{"time": start}], start, amplitude
    while time < end - 1e-9:
        last = keys[-1].get("position", [0, 0, 0])[0]
        time = min(end, time + abs(way - last) / speed)
        place = 0 if abs(time - end) < 1e-9 else way
        keys.append({"time": round(time, 9), "position": [place, 0, 0]})
        way = -way
    return keys


def vase():
    vase_mesh()
    foam_mesh()
    write("vase_on_foam", """
A vase (hexahedra of order 2, 50 GPa) stands in the recess of a pad of foam (Mooney and Rivlin's rubber, EVA 95), whose base is shaken by 5 mm at 0.2 m/s
from 0.1 to 0.5 s.

Right: the vase stays in its recess, rocks and is never lifted over the rim; its stress is largest in the foot and goes up when the base turns round. Four other foams:
--set /materials/foam/c10=.. and so on, see docs/validation.md.""", {
        "bulwark": 1, "title": "A vase on foam that is shaken",
        "time": {"step": 5e-4, "duration": 0.6},
        "materials": {"clay": {"model": "svk", "density": 2400, "young": 5e10, "poisson": 0.25},
                      "foam": {"model": "mooney-rivlin", "density": 95, "c10": 641000, "c01": 160000, "bulk": 4.18e6,
                               "damping": {"kind": "kelvin-voigt", "shear": 5000, "bulk": 5000}}},
        "bodies": [{"name": "foam", "kind": "deformable", "mesh": "meshes/foam.inp", "order": 2, "material": "foam",
                    "fixed": {"set": "base"}, "motion": shaking()},
                   {"name": "vase", "kind": "deformable", "mesh": "meshes/vase.inp", "order": 2, "material": "clay",
                    "position": [0, -DEPTH + 3e-4, 0]}],
        "contact": {"friction": 0.5, "distance": 3e-4},
        "solver": {"tolerance": 1e-4}, "output": {"every": 20, "fields": ["integration_points"]},
        "camera": {"position": [0.3, 0.25, 0.45], "target": [0, 0.03, 0]}})


def crate_mesh(inner, wall):
    """A box without a lid, its inside (x, y, z) from the origin up; one closed surface."""
    x, y, z = inner[0] / 2, inner[1], inner[2] / 2
    rings = [[(-x - wall, -wall), (x + wall, -wall)], [(-x - wall, y), (x + wall, y)], [(-x, y), (x, y)], [(-x, 0), (x, 0)]]
    depths = [z + wall, z + wall, z, z]
    points, faces = [], []
    for ((left, height), (right, _)), depth in zip(rings, depths):
        points += [(left, height, -depth), (right, height, -depth), (right, height, depth), (left, height, depth)]
    for ring in range(3):
        for k in range(4):
            a, b = 4 * ring + k, 4 * ring + (k + 1) % 4
            faces += [(a, b + 4, b), (a, a + 4, b + 4)]
    faces += [(0, 1, 2), (0, 2, 3), (12, 14, 13), (12, 15, 14)]
    text = "# A crate without a lid, m, y up.\n" + "".join("v {:.6g} {:.6g} {:.6g}\n".format(*p) for p in points)
    (HERE / "meshes" / "crate.obj").write_text(text + "".join("f {} {} {}\n".format(*(n + 1 for n in face)) for face in faces))


def drop():
    crate_mesh([0.7, 0.4, 0.5], 0.02)
    tyres = []
    for k in range(9):
        if k < 6:
            place, axis, degrees = [-0.24 + 0.19 * (k % 3), 0.42 + 0.06 * (k // 3), -0.11 if k < 3 else 0.11], [1, 0.2 * (k % 3), 0], 75 + 6 * k
        else:
            place, axis, degrees = [-0.2 + 0.2 * (k - 6), 0.0945, -0.1 + 0.1 * (k - 6)], [0, 1, 0], 20 * (k - 7)
        tyres.append({"name": f"tyre {k + 1}", "kind": "deformable", "mesh": "../flexible/meshes/tyre.inp", "scale": 0.3, "order": 2,
                      "material": "rubber", "position": [round(c, 6) for c in place], "rotation": {"axis": axis, "degrees": degrees}})
    write("mixed_drop", """
Nine airless tyres (hexahedra of order 2, 5 MPa), 18 cm across, fall into a crate with a springboard (ANCF shell, 40 x 40 x 2 cm, 8 MPa) that is clamped at one edge: six from above it,
three stand on the floor under it.

Right: the springboard bends down under the tyres and throws none out; tyres dent where they meet, roll off, and come to rest on each other. Nothing passes through anything.""", {
        "bulwark": 1, "title": "Tyres, a crate and a springboard",
        "time": {"step": 2e-3, "duration": 0.45},
        "materials": {"rubber": {"model": "svk", "density": 900, "young": 5e6, "poisson": 0.4, "damping": {"kind": "kelvin-voigt", "shear": 2e4, "bulk": 2e4}},
                      "board": {"model": "svk", "density": 1200, "young": 8e6, "poisson": 0.33,
                                "damping": {"kind": "kelvin-voigt", "shear": 2e4, "bulk": 2e4}}},
        "bodies": [{"name": "crate", "kind": "obstacle", "mesh": "meshes/crate.obj"},
                   {"name": "springboard", "kind": "ancf-shell", "shape": {"plate": {"size": [0.4, 0.4], "thickness": 0.02, "cells": [10, 4]}},
                    "material": "board", "position": [-0.14, 0.3, 0], "fixed": {"plane": [[-0.3399, 0, 0], [-1, 0, 0]]}}] + tyres,
        "contact": {"friction": 0.5, "distance": 5e-4},
        "solver": {"tolerance": 1e-3}, "output": {"every": 5},
        "camera": {"position": [0.7, 0.9, 1.1], "target": [0, 0.2, 0]}})


if __name__ == "__main__":
    vase()
    drop()
