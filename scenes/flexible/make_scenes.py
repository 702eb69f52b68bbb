#!/usr/bin/env python3
"""Writes the scenes of flexible bodies that have meshes of their own: the snap-fit, the airless tyre, the bolt, the mixed scene and Hertz's contact.

Run it in any folder after a change: it overwrites scenes/flexible/*.json of these names, and their meshes.
"""
import math
import pathlib

from hexahedra import Hexahedra, Thread, add_bolt, add_tube, bolt_rings, nut_rings, write_scene, write_surface

HERE = pathlib.Path(__file__).resolve().parent
MESHES = HERE / "meshes"


def hook_mesh():
    """A cantilever of 60 mm by 4 mm by 10 mm with a head on its last 12 mm: 4 mm high at the catch, 0.5 mm at the tip."""
    along = [0.048 * i / 8 for i in range(9)] + [0.052, 0.056, 0.060]
    thick, head = 0.004, lambda x: 0.004 - 0.0035 * (x - 0.048) / 0.012

    def place(i, j, k):
        cell = min(int(i), 10)
        x = along[cell] + (along[cell + 1] - along[cell]) * (i - cell)
        y = thick * j if j <= 1 else thick + head(x) * (j - 1)
        return [x, y, 0.010 * (k - 0.5)]
    mesh = Hexahedra()
    mesh.grid((11, 2, 1), place, lambda i, j, k: j == 0 or i >= 8)
    mesh.name("root", lambda x, y, z: x < 1e-6)
    mesh.write(MESHES / "hook.inp", "The hook of a snap-fit (m), along x.")


def snap_fit():
    hook_mesh()
    write_scene(HERE, "snap_fit", """
The hook of a snap-fit, of order-2 hexahedra, is pushed by 30 mm under a ledge that is 3 mm in its way, and then pulled back by 5 mm.

Right: the slope of the head slides along the ledge and bends the hook down, it springs up behind the ledge, and its catch holds it when it is
pulled back. The force of the root (`wrenches.csv`, rows of the hook) is small on the way in, and grows while it is pulled back.""",
                "A snap-fit", {"step": 0.01, "duration": 0.8},
                {"plastic": {"model": "neo-hookean", "density": 1050, "young": 2e8, "poisson": 0.35,
                             "damping": {"kind": "rayleigh", "stiffness": 2e-3}}},
                [{"name": "ledge", "kind": "obstacle", "shape": {"box": [0.01, 0.01, 0.02]}, "position": [0.07, 0.01, 0]},
                 {"name": "hook", "kind": "deformable", "mesh": "meshes/hook.inp", "order": 2, "material": "plastic",
                  "fixed": {"set": "root"},
                  "motion": [{"time": 0.5, "position": [0.03, 0, 0]}, {"time": 0.6, "position": [0.03, 0, 0]},
                             {"time": 0.8, "position": [0.025, 0, 0]}]}],
                contact={"friction": 0.2, "distance": 2e-4},
                camera={"position": [0.05, 0.03, 0.13], "target": [0.05, 0.003, 0]})


def tyre_mesh():
    """Two bands joined by twelve curved spokes; 30 cm in radius, 10 cm wide, about z."""
    spokes, width = 12, 0.10
    radii = [0.09, 0.12, 0.20, 0.28, 0.30]
    sector = 2 * math.pi / spokes

    def place(i, j, k):
        cell = min(int(j), len(radii) - 2)
        radius = radii[cell] + (radii[cell + 1] - radii[cell]) * (j - cell)
        spoke = 0.10 * radii[3] / radius  # of a sector: spokes of even thickness
        turn, part = divmod(i, 2)
        angle = sector * (turn + (spoke * part if part <= 1 else spoke + (1 - spoke) * (part - 1)))
        if radii[1] < radius < radii[3]:
            angle += 0.25 * math.sin(math.pi * (radius - radii[1]) / (radii[3] - radii[1]))
        return [radius * math.cos(angle), radius * math.sin(angle), width * (0.5 - k)]
    mesh = Hexahedra()
    mesh.grid((2 * spokes, 4, 1), place, lambda i, j, k: j in (0, 3) or i % 2 == 0)
    mesh.name("hub", lambda x, y, z: math.hypot(x, y) < 0.0901)
    mesh.write(MESHES / "tyre.inp", "An airless tyre about z (m), with the set `hub`: its inner side.")


def tyre_kerb():
    tyre_mesh()
    write_scene(HERE, "tyre_kerb", """
An airless tyre of order-2 hexahedra, two bands joined by curved spokes, rolls at 3 m/s against a kerb of 3 cm. Its hub carries 300 N.

Right: the band flattens over the ground and the lower spokes bend more than the others. At the kerb the tyre dents around the edge, climbs it and
rolls on above.""",
                "An airless tyre on a kerb", {"step": 0.01, "duration": 0.3},
                {"urethane": {"model": "mooney-rivlin", "density": 1100, "c10": 3e6, "c01": 1e6, "bulk": 4e7,
                              "damping": {"kind": "rayleigh", "stiffness": 1e-3}}},
                [{"name": "ground", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0]}}},
                 {"name": "kerb", "kind": "obstacle", "shape": {"box": [1.2, 0.03, 0.4]}, "position": [0.85, 0.0151, 0]},
                 {"name": "tyre", "kind": "deformable", "mesh": "meshes/tyre.inp", "order": 2, "material": "urethane",
                  "position": [0, 0.3005, 0], "velocity": [3, 0, 0], "angular_velocity_degrees": [0, 0, -573],
                  "force": {"value": [0, -300, 0], "selection": {"set": "hub"}}}],
                contact={"friction": 0.8},
                camera={"position": [0.6, 0.6, 1.8], "target": [0.45, 0.25, 0]})


def mixed():
    write_scene(HERE, "mixed", """
A tyre of order-2 hexahedra, an ANCF shell, a cloth and a stiff box in one scene: the box falls on the shell, a springboard that is clamped at
one end; the cloth falls over the tyre, which stands on the ground.

Right: the springboard bends down under the box, which stands on it at first and then begins to slide; the cloth drapes over the tyre. Nothing passes through
anything.""",
                "A tyre, a springboard, a cloth and a box", {"step": 0.01, "duration": 0.4},
                {"urethane": {"model": "mooney-rivlin", "density": 1100, "c10": 3e6, "c01": 1e6, "bulk": 4e7},
                 "fibreglass": {"model": "svk", "density": 1800, "young": 2e9, "poisson": 0.25},
                 "canvas": {"model": "cloth", "density": 400, "thickness": 1e-3, "young": 1e6, "poisson": 0.3, "bending_young": 1e4},
                 "wood": {"model": "affine", "density": 600}},
                [{"name": "ground", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0]}}},
                 {"name": "tyre", "kind": "deformable", "mesh": "meshes/tyre.inp", "order": 2, "material": "urethane", "position": [0, 0.3005, 0]},
                 {"name": "springboard", "kind": "ancf-shell", "shape": {"plate": {"size": [0.8, 0.3], "thickness": 0.01, "cells": [6, 2]}},
                  "material": "fibreglass", "position": [0.8, 0.35, 0], "fixed": {"plane": [[1.199, 0, 0], [1, 0, 0]]}},
                 {"name": "cloth", "kind": "shell", "shape": {"grid": {"size": [0.6, 0.6], "cells": [9, 9]}}, "material": "canvas",
                  "position": [0, 0.62, 0]},
                 {"name": "box", "kind": "affine", "shape": {"box": [0.2, 0.2, 0.2]}, "material": "wood", "position": [0.65, 0.48, 0],
                  "rotation": {"axis": [0, 0, 1], "degrees": 10}}],
                contact={"friction": 0.3},
                camera={"position": [0.5, 0.7, 2.2], "target": [0.5, 0.3, 0]})


def bolt_preload():
    """A bolt of 10 mm with a coarse solid inside, its nut, and a sleeve between head and nut."""
    thread, clearance, height, corner = Thread(0.0042, 0.005, 0.002), 1.2e-4, 0.008, 0.009
    low, top, head = -0.012, 0.020, 0.006
    write_surface(MESHES / "bolt.obj", "A bolt with a thread (m), head up.", bolt_rings(thread, low, top, corner, head, 24, 6, shank=0.007), False)
    write_surface(MESHES / "nut.obj", "The nut of the bolt (m); it fits where its centre is a whole number of pitches from the bolt's origin.",
                  nut_rings(thread, height, clearance, corner, 24, 6), True)
    solid = Hexahedra()
    add_bolt(solid, 0.0046, low, top, 0.0082, head, 8)
    solid.name("head", lambda x, y, z: y > top + head - 1e-6)
    solid.write(MESHES / "bolt_core.inp", "What is inside of the bolt (m), with the set `head`: its upper side.", order=1)
    sleeve = Hexahedra()
    add_tube(sleeve, 0.0056, 0.0085, -0.00795, 0.00795, (8, 2, 1))
    sleeve.write(MESHES / "sleeve.inp", "The sleeve that is clamped (m).")
    write_scene(HERE, "bolt_preload", """
A bolt of 10 mm and a nut clamp a sleeve of 15.9 mm. The bolt is coarse hexahedra that carry a surface with the thread (`collision_mesh`), the sleeve is of
order 2, the nut is stiff. A torque that grows to 1 N m in four load steps turns the nut; nothing has friction, and the upper side of the head is held.

Right: the play is used up, the sleeve is pressed and the bolt stretched. The clamp force is in `contact_pairs.csv`, column `fy` of the pair bolt,
sleeve, about 1050 N at the end; the other two pairs have the same. A smooth thread would give 2 pi torque / pitch, 3142 N: the facets of this one catch
each other as friction would, so that the force is less and grows unevenly.""",
                "A bolt preloaded in its nut", {"integrator": "static", "step": 0.25, "steps": 4},
                {"steel": {"model": "neo-hookean", "density": 7800, "young": 2e10, "poisson": 0.3},
                 "brass": {"model": "neo-hookean", "density": 8500, "young": 1e10, "poisson": 0.34},
                 "stiff": {"model": "affine", "density": 7800}},
                [{"name": "bolt", "kind": "deformable", "mesh": "meshes/bolt_core.inp", "collision_mesh": "meshes/bolt.obj", "material": "steel",
                  "fixed": {"set": "head"}},
                 {"name": "sleeve", "kind": "deformable", "order": 2, "mesh": "meshes/sleeve.inp", "material": "brass", "position": [0, 0.012, 0]},
                 {"name": "nut", "kind": "affine", "mesh": "meshes/nut.obj", "material": "stiff", "torque": [0, 1, 0]}],
                gravity=[0, 0, 0], contact={"distance": 4e-5},
                camera={"position": [0.03, 0.02, 0.06], "target": [0, 0.007, 0]})


def graded(width, fine, even, cells):
    """Cells of the side `fine` at first, which grow evenly from the number `even` on and end at the width: where their corners lie."""
    def corners(ratio):
        sides = [fine * ratio ** max(0, k - even + 1) for k in range(cells)]
        return [sum(sides[:k]) for k in range(cells + 1)]
    low, high = 1.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if corners(middle)[-1] < width else (low, middle)
    return corners(low)[:-1] + [width]


def hertz_mesh():
    """A quarter of a block whose lower side is part of a sphere of 1 m, its lowest point at the origin; cells are small there."""
    radius, width = 1.0, 0.05
    across, up = graded(width, 0.0018, 4, 8), graded(width, 0.0018, 1, 5)

    def at(corners, i):
        cell = min(int(i), len(corners) - 2)
        return corners[cell] + (corners[cell + 1] - corners[cell]) * (i - cell)

    def place(i, j, k):
        x, y, z = at(across, i), at(up, j), at(across, k)
        return [x, y + (1 - y / width) * (radius - math.sqrt(radius ** 2 - x * x - z * z)), z]
    mesh = Hexahedra()
    mesh.grid((len(across) - 1, len(up) - 1, len(across) - 1), place)
    mesh.name("middle_x", lambda x, y, z: x < 1e-9)
    mesh.name("middle_z", lambda x, y, z: z < 1e-9)
    mesh.name("top", lambda x, y, z: y > width - 1e-9)
    mesh.write(MESHES / "hertz.inp", "A quarter of a block with a side that is part of a sphere (m), with the sets `middle_x`, `middle_z` and `top`.")


def hertz():
    hertz_mesh()
    write_scene(HERE, "hertz", """
Hertz's contact: a body of order-2 hexahedra that is part of a sphere, R = 1 m, at its lower side is pressed on a plane, its top by 0.04 mm. A quarter of it, with
planes of symmetry.

Right: with the force F of all four quarters (`contact_pairs.csv`, column `fy` of the pair, times 4) and E* = E / (1 - nu^2) contact reaches to
a = (3 F R / (4 E*))^(1/3), and the pressure is p0 sqrt(1 - r^2 / a^2), p0 = 3 F / (2 pi a^2): `contact_pressure` of the frames is within 2 % of both.""",
                "Hertz's contact", {"integrator": "static", "step": 0.25, "steps": 4},
                {"rubber": {"model": "linear-elastic", "density": 1000, "young": 1e6, "poisson": 0.3}},
                [{"name": "plane", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0]}}},
                 {"name": "sphere", "kind": "deformable", "mesh": "meshes/hertz.inp", "order": 2, "surface_cuts": 4, "material": "rubber",
                  "position": [0, 6e-7, 0],
                  "fixed": [{"selection": {"set": "middle_x"}, "axes": [True, False, False]},
                            {"selection": {"set": "middle_z"}, "axes": [False, False, True]},
                            {"selection": {"set": "top"}, "motion": {"linear": [0, -4e-5, 0]}}]}],
                gravity=[0, 0, 0], contact={"formulation": "area-weighted", "distance": 4e-7},
                output={"fields": ["stress", "contact_pressure"]},
                camera={"position": [0.05, -0.04, 0.06], "target": [0.005, 0.004, 0.005]})


if __name__ == "__main__":
    hertz()
    snap_fit()
    tyre_kerb()
    mixed()
    bolt_preload()
