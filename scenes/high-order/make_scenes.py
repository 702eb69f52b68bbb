#!/usr/bin/env python3
"""Writes the scenes of high-order elements that have meshes of their own: the microstructure, and the nut on its bolt.

Run it in any folder after a change: it overwrites scenes/high-order/*.json of these names, and their meshes.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "flexible"))
from hexahedra import Hexahedra, Thread, add_bolt, add_tube, bolt_rings, nut_rings, write_scene, write_surface  # noqa: E402

MESHES = HERE / "meshes"


def microstructure():
    """Struts of 2 mm along the edges of cubes of 12 mm, two by one by two cubes; each strut is two elements long."""
    def lines(cubes):
        ends = [0.0]
        for size in cubes * (0.002, 0.005, 0.005) + (0.002,):
            ends.append(ends[-1] + size)
        return [end - ends[-1] / 2 for end in ends]
    grid = [lines(cubes) for cubes in (2, 1, 2)]
    counts = [len(ends) - 1 for ends in grid]

    def place(*at):
        def along(ends, t):
            cell = min(int(t), len(ends) - 2)
            return ends[cell] + (ends[cell + 1] - ends[cell]) * (t - cell)
        return [along(ends, t) for ends, t in zip(grid, at)]
    mesh = Hexahedra()
    mesh.grid(counts, place, lambda i, j, k: sum(n % 3 == 0 for n in (i, j, k)) >= 2)
    mesh.write(MESHES / "lattice.inp", "A lattice of struts (m), centred.")
    write_scene(HERE, "microstructure", """
A lattice of struts, a metamaterial of order-2 hexahedra, is crushed between two plates by a seventh of its height.

Right: the upright struts buckle, all outwards, and the frames below and above bend with them. The force on the plate (`contact_pairs.csv`) first rises and
then stays about the same while they buckle.""",
                "A crushed lattice", {"step": 0.01, "duration": 0.12},
                {"rubber": {"model": "neo-hookean", "density": 1030, "young": 6e5, "poisson": 0.48}},
                [{"name": "table", "kind": "obstacle", "shape": {"plane": {"point": [0, -0.00705, 0]}}},
                 {"name": "lattice", "kind": "deformable", "order": 2, "mesh": "meshes/lattice.inp", "material": "rubber"},
                 {"name": "plate", "kind": "obstacle", "shape": {"box": [0.04, 0.002, 0.04]}, "position": [0, 0.00805, 0],
                  "motion": {"linear": [0, -0.018, 0]}}],
                contact={"friction": 0.3, "distance": 1e-4, "static_speed": 1e-3},
                camera={"position": [0.03, 0.012, 0.06], "target": [0, -0.002, 0]})


def nut_and_bolt():
    thread, clearance, height, corner = Thread(0.042, 0.05, 0.06, 4.8), 0.002, 0.06, 0.09
    low, top, head = -0.12, 0.12, 0.05
    write_surface(MESHES / "bolt.obj", "A bolt with a thread (m), head up.", bolt_rings(thread, low, top, corner, head, 24, 24), False)
    write_surface(MESHES / "nut.obj", "Its nut (m).", nut_rings(thread, height, clearance, corner, 24, 24), True)
    solid = Hexahedra()
    add_bolt(solid, 0.046, low, top, 0.082, head, 6)
    solid.name("head", lambda x, y, z: y > top + head - 1e-6)
    solid.write(MESHES / "bolt_core.inp", "What is inside of the bolt (m), with the set `head`: its upper side.", order=1)
    solid = Hexahedra()
    add_tube(solid, 0.048, 0.083, -height / 2, height / 2, (6, 1, 1))
    solid.write(MESHES / "nut_core.inp", "A tube inside of the nut (m).", order=1)
    write_scene(HERE, "nut_and_bolt", """
A nut runs down a bolt by its own weight, without friction. Both are elastic, of steel: a few hexahedra carry surfaces with the thread
(`collision_mesh`).

Right: the nut turns and goes down, 6 cm a turn, ever faster; bolt and nut do not bend visibly.""",
                "A nut on a bolt", {"step": 0.01, "duration": 0.3},
                {"steel": {"model": "neo-hookean", "density": 8050, "young": 2e11, "poisson": 0.28}},
                [{"name": "bolt", "kind": "deformable", "mesh": "meshes/bolt_core.inp", "collision_mesh": "meshes/bolt.obj", "material": "steel",
                  "fixed": {"set": "head"}},
                 {"name": "nut", "kind": "deformable", "mesh": "meshes/nut_core.inp", "collision_mesh": "meshes/nut.obj", "material": "steel",
                  "position": [0, 0.06, 0]}],
                contact={"distance": 2e-4},
                camera={"position": [0.25, 0.05, 0.45], "target": [0, 0.02, 0]})


if __name__ == "__main__":
    microstructure()
    nut_and_bolt()
