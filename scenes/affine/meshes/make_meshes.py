#!/usr/bin/env python3
"""Writes the small meshes of the scenes in the folder above."""
import math
import pathlib

FOLDER = pathlib.Path(__file__).parent


def write_obj(name, title, vertices, triangles):
    lines = [f"# {title}"]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(n + 1) for n in t) for t in triangles]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def hexahedron(corners):
    """Corners as of a box: index = 4 (x side) + 2 (y side) + (z side); triangles face outward."""
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def arch_stone(name, stones, radius=20.0, thickness=4.0, depth=4.0, joint=0.9e-3):
    """The keystone of a semicircular arch of equal stones about the z axis; each joint is `joint` wide all along."""
    half = math.pi / stones / 2
    corners = []
    for side in (-1, 1):
        for r in (radius - thickness / 2, radius + thickness / 2):
            for z in (-depth / 2, depth / 2):
                # Back from the joint's plane by half its width.
                across, along = r * math.sin(half) - joint / 2 * math.cos(half), r * math.cos(half) + joint / 2 * math.sin(half)
                corners.append((side * across, along, z))
    write_obj(name, f"Keystone of a semicircular arch of {stones} stones, radius {radius:g} m.", *hexahedron(corners))


write_obj("card.obj", "A card of 2.5 m x 1.25 m without thickness, in the xz plane.",
          [(-1.25, 0, -.625), (-1.25, 0, .625), (1.25, 0, .625), (1.25, 0, -.625)], [(0, 1, 2), (0, 2, 3)])
arch_stone("arch_stone_101.obj", 101)
