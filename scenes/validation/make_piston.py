#!/usr/bin/env python3
"""Writes the scene of the piston in a cup, and its meshes.

Run it in any folder after a change: it overwrites the files that it names in scenes/validation.
"""
import math
import pathlib
import sys

from make_mechanisms import write

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "flexible"))
from hexahedra import Hexahedra, add_cylinder, add_tube  # noqa: E402

BORE, WALL, DEPTH = 0.03, 0.008, 0.2
SHAFT, LOW, TOP, HANDLE = 0.02, 0.05, 0.45, 0.05


def cup_mesh():
    mesh = Hexahedra()
    add_cylinder(mesh, BORE, -0.01, 0, 1, 2)
    add_tube(mesh, BORE, BORE + WALL, -0.01, 0, (8, 1, 1), math.pi / 4)
    add_tube(mesh, BORE, BORE + WALL, 0, DEPTH, (8, 6, 1), math.pi / 4)
    mesh.name("rim", lambda x, y, z: y < -0.0099 and math.hypot(x, z) > BORE - 1e-6)
    mesh.write(HERE / "meshes" / "cup.inp", "A cup (m), about y: bore of 30 mm radius, 200 mm deep, wall of 8 mm.")


def piston_mesh():
    mesh = Hexahedra()
    add_cylinder(mesh, SHAFT, LOW, TOP - 0.02, 10, 2)
    add_cylinder(mesh, SHAFT, TOP - 0.02, TOP, 1, 2)
    add_tube(mesh, SHAFT, HANDLE, TOP - 0.02, TOP, (8, 1, 1), math.pi / 4)
    mesh.name("handle", lambda x, y, z: y > TOP - 0.0201)
    mesh.write(HERE / "meshes" / "piston.inp", "A piston (m), about y: shaft of 20 mm radius, 400 mm long, a disc as its handle.")


def piston():
    cup_mesh()
    piston_mesh()

    def rubber(young, density, viscosity):
        return {"model": "svk", "density": density, "young": young, "poisson": 0.32,
                "damping": {"kind": "kelvin-voigt", "shear": viscosity, "bulk": viscosity}}
    overlap = DEPTH - LOW
    joints = [{"name": name, "kind": "cylindrical", "bodies": ["piston", "cup"], "point": [0, LOW + part * overlap, 0], "axis": [0, 1, 0], "grip": 0.035, "tolerance": 5e-9}
              for name, part in (("lower", 0.25), ("upper", 0.75))]
    write("piston_in_cup", """
A piston hangs in a cup that is held at its bottom, on two cylindrical joints, at 25 and 75 % of their overlap. Its handle is pushed to the side by 30 N, which grow
over 5 ms, while gravity pulls it out along the axis.

Right: the piston swings sideways with its soft shaft and slides out by some 0.27 m in 0.2 s, more than it would fall, as the push has a part along the tilted axis; the joints' errors stay below 1e-8.""", {
        "bulwark": 1, "title": "A piston in a cup on two cylindrical joints",
        "time": {"step": 5e-4, "steps": 400}, "gravity": [0, 9.81, 0],
        "materials": {"cup": rubber(1e7, 1150, 2e4), "piston": rubber(5e7, 1750, 5e3)},
        "bodies": [{"name": "cup", "kind": "deformable", "mesh": "meshes/cup.inp", "order": 2, "material": "cup", "fixed": {"set": "rim"}},
                   {"name": "piston", "kind": "deformable", "mesh": "meshes/piston.inp", "order": 2, "material": "piston",
                    "force": {"times": [0, 0.005], "values": [[0, 0, 0], [30, 0, 0]], "selection": {"set": "handle"}}}],
        "joints": joints,
        "contact": {"friction": 0.1, "distance": 5e-4}, "solver": {"tolerance": 1e-4},
        "output": {"every": 20, "fields": ["stress"]},
        "camera": {"position": [0.6, 0.5, 0.9], "target": [0, 0.25, 0]}})


if __name__ == "__main__":
    piston()
