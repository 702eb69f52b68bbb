#!/usr/bin/env python3
"""Writes the obstacles without thickness of the scenes beside this folder: surfaces of revolution and beds of pins."""
import math
import pathlib

FOLDER = pathlib.Path(__file__).parent


def write_obj(name, title, vertices, elements):
    lines = [f"# {title}"]
    lines += [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in vertices]
    lines += [kind + " " + " ".join(str(n + 1) for n in nodes) for kind, nodes in elements]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def revolve(name, title, profile, sides):
    """A surface of revolution about y from (radius, height) pairs; a first radius of zero closes it with a point."""
    vertices, elements, rings = [], [], []
    for radius, height in profile:
        count = sides if radius > 0 else 1
        rings.append(range(len(vertices), len(vertices) + count))
        for i in range(count):
            angle = 2 * math.pi * i / sides
            vertices.append((radius * math.cos(angle), height, radius * math.sin(angle)))
    for inner, outer in zip(rings, rings[1:]):
        for i in range(sides):
            j = (i + 1) % sides
            if len(inner) > 1:
                elements.append(("f", (inner[i], inner[j], outer[i])))
                elements.append(("f", (inner[j], outer[j], outer[i])))
            else:
                elements.append(("f", (inner[0], outer[j], outer[i])))
    write_obj(name, title, vertices, elements)


def pins(name, title, count, spacing, length):
    """Upright segments on a square lattice around the y axis, from y = 0 down."""
    vertices, elements = [], []
    for i in range(count):
        for k in range(count):
            x, z = (i - (count - 1) / 2) * spacing, (k - (count - 1) / 2) * spacing
            elements.append(("l", (len(vertices), len(vertices) + 1)))
            vertices += [(x, 0, z), (x, -length, z)]
    write_obj(name, title, vertices, elements)


revolve("funnel.obj", "A cone from radius 0.34 at y = 0.40 to 0.125 at y = 0.02, then a tube down to y = -0.34.",
        [(.34, .40), (.27, .27), (.20, .14), (.125, .02), (.125, -.10), (.125, -.22), (.125, -.34)], 32)
revolve("bowl.obj", "A bowl of radius 0.62, y = r^2 with a lip, on the ground at y = 0.",
        [(0, 0), (.12, .0144), (.24, .0576), (.36, .1296), (.48, .2304), (.58, .3364), (.64, .35)], 32)
pins("pins.obj", "9 x 9 upright pins, 0.06 apart and 0.3 long, their tips at y = 0.", 9, .06, .3)
