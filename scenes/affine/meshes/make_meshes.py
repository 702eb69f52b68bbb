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


def extruded(name, title, pixel, thickness, rows):
    """The X of a picture as squares in the yz plane, the first row's upper edge at y = 0, thick along x."""
    filled = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X"}
    middle = len(rows[0]) / 2
    vertices, triangles, number = [], [], {}

    def corner(r, c, side):
        if (r, c, side) not in number:
            number[r, c, side] = len(vertices)
            vertices.append((side * thickness / 2, -r * pixel, (c - middle) * pixel))
        return number[r, c, side]

    def quad(a, b, c, d):
        triangles.extend([(a, b, c), (a, c, d)])

    for r, c in sorted(filled):
        quad(*[corner(i, j, 1) for i, j in ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))][::-1])
        quad(*[corner(i, j, -1) for i, j in ((r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c))])
        for beside, (i, j), (k, l) in (((r - 1, c), (r, c), (r, c + 1)), ((r + 1, c), (r + 1, c + 1), (r + 1, c)),
                                       ((r, c - 1), (r + 1, c), (r, c)), ((r, c + 1), (r, c + 1), (r + 1, c + 1))):
            if beside not in filled:
                quad(corner(i, j, 1), corner(k, l, 1), corner(k, l, -1), corner(i, j, -1))
    write_obj(name, title, vertices, triangles)


extruded("anchor.obj", "An anchor, 0.78 m high and 5 cm thick along x; its eye is 12 cm wide and begins 6 cm below the top.", 0.06, 0.05, [
    "...XXXX...",
    "...X..X...",
    "...X..X...",
    "...XXXX...",
    "....XX....",
    "..XXXXXX..",
    "....XX....",
    "....XX....",
    "....XX....",
    "X...XX...X",
    "XX..XX..XX",
    ".XXXXXXXX.",
    "...XXXX..."])
