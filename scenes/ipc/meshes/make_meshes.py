#!/usr/bin/env python3
"""Writes the small meshes of the scenes beside this folder that no built-in shape gives."""
import itertools
import math
import pathlib

FOLDER = pathlib.Path(__file__).parent

# The six tetrahedra of a hexahedron share the diagonal from corner 0 to corner 7; these are their other corners.
AROUND_DIAGONAL = [(1, 3), (3, 2), (2, 6), (6, 4), (4, 5), (5, 1)]


def write_msh(name, nodes, tetrahedra):
    """A gmsh 2.2 file; every tetrahedron is turned to a positive volume."""
    def volume(tet):
        a, b, c, d = (nodes[i] for i in tet)
        u, v, w = ([q - p for p, q in zip(a, x)] for x in (b, c, d))
        return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
                + u[2] * (v[0] * w[1] - v[1] * w[0]))

    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(nodes))]
    lines += [f"{i + 1} {x:.17g} {y:.17g} {z:.17g}" for i, (x, y, z) in enumerate(nodes)]
    lines += ["$EndNodes", "$Elements", str(len(tetrahedra))]
    for i, tet in enumerate(tetrahedra):
        if volume(tet) < 0:
            tet = (tet[1], tet[0], tet[2], tet[3])
        lines.append(f"{i + 1} 4 2 0 0 " + " ".join(str(n + 1) for n in tet))
    lines += ["$EndElements", ""]
    (FOLDER / name).write_text("\n".join(lines))


# A square pyramid, tip down at the origin, base of 1 m x 1 m at y = 1.
write_msh("spike.msh", [(0, 0, 0), (-.5, 1, -.5), (.5, 1, -.5), (.5, 1, .5), (-.5, 1, .5)],
          [(0, 1, 2, 3), (0, 1, 3, 4)])

# A prism, its sharp edge down on the z axis from -0.5 to 0.5, its back 1 m wide at y = 1.
write_msh("wedge.msh", [(0, 0, -.5), (-.5, 1, -.5), (.5, 1, -.5), (0, 0, .5), (-.5, 1, .5), (.5, 1, .5)],
          [(0, 1, 2, 5), (0, 1, 5, 4), (0, 4, 5, 3)])


# A box of 1 m with a pit in its upper side: 0.5 m x 0.5 m and 0.5 m deep.
def box_with_pit():
    x, y = [-.5, -.25, .25, .5], [-.5, 0, .5]
    number, nodes, tetrahedra = {}, [], []

    def node(i, j, k):
        if (i, j, k) not in number:
            number[i, j, k] = len(nodes)
            nodes.append((x[i], y[j], x[k]))
        return number[i, j, k]

    for i, j, k in itertools.product(range(3), range(2), range(3)):
        if (i, j, k) == (1, 1, 1):
            continue  # the pit
        c = [node(i + (n & 1), j + (n >> 1 & 1), k + (n >> 2)) for n in range(8)]
        tetrahedra += [(c[0], c[7], c[p], c[q]) for p, q in AROUND_DIAGONAL]
    write_msh("box_with_pit.msh", nodes, tetrahedra)


box_with_pit()


# A stone of a semicircular arch of 25, at the crown, in coordinates from the arch's centre: radii 18 m and
# 22 m, 4 m deep. Its joint faces lie 0.45 mm inside the joints' planes.
def stone(stones=25, inner=18.0, outer=22.0, depth=4.0, inset=0.00045):
    half = math.pi / stones / 2
    nodes = []
    for z in (-depth / 2, depth / 2):
        for radius in (inner, outer):
            for side in (-1, 1):
                along = radius * math.sin(half) - inset * math.cos(half)
                up = radius * math.cos(half) + inset * math.sin(half)
                nodes.append((side * along, up, z))
    write_msh("arch_stone.msh", nodes, [(0, 7, p, q) for p, q in AROUND_DIAGONAL])


stone()


# A pen: a square rod of 2 cm x 2 cm x 20 cm along y with a pyramid of 2 cm as its tip, which is down at the origin.
def pen(width=0.02, length=0.2, pieces=10):
    nodes = [(0, 0, 0)]
    for level in range(pieces + 1):
        y = width + length * level / pieces
        nodes += [(x * width / 2, y, z * width / 2) for z in (-1, 1) for x in (-1, 1)]
    tetrahedra = [(0, 1, 2, 4), (0, 1, 4, 3)]
    for level in range(pieces):
        low = 1 + 4 * level
        c = [low, low + 1, low + 4, low + 5, low + 2, low + 3, low + 6, low + 7]  # x, then y, then z
        tetrahedra += [(c[0], c[7], c[p], c[q]) for p, q in AROUND_DIAGONAL]
    write_msh("pen.msh", nodes, tetrahedra)


pen()
