#!/usr/bin/env python3
"""Writes the meshes of the hare and the teapot: solids described by distances, whose surface is found by dual contouring
(one vertex a cell that the surface passes through, drawn to the surface and evened out).

Run it in any folder after a change: it overwrites scenes/flexible/meshes/hare.obj and teapot.obj. Needs numpy.
"""
import pathlib

import numpy as np

MESHES = pathlib.Path(__file__).resolve().parent / "meshes"


def ellipsoid(p, center, radii):
    """A bound of the distance that is exact for spheres."""
    q = (p - center) / radii
    length, slope = np.linalg.norm(q, axis=-1), np.linalg.norm(q / radii, axis=-1)
    return length * (length - 1) / np.maximum(slope, 1e-12)


def capsule(p, a, b, radius_a, radius_b):
    """A rod from a to b whose radius goes from one end's to the other's."""
    a, b = np.asarray(a), np.asarray(b)
    t = np.clip((p - a) @ (b - a) / np.dot(b - a, b - a), 0, 1)
    return np.linalg.norm(p - a - t[..., None] * (b - a), axis=-1) - (radius_a + t * (radius_b - radius_a))


def torus(p, center, major, minor):
    """In the plane of x and y."""
    q = p - center
    return np.hypot(np.hypot(q[..., 0], q[..., 1]) - major, q[..., 2]) - minor


def united(a, b, round_by):
    """The union, with a fillet."""
    h = np.clip(0.5 + 0.5 * (b - a) / round_by, 0, 1)
    return b + (a - b) * h - round_by * h * (1 - h)


def hare(p):
    """A sitting hare, 1.5 m high, with both ears up; it looks along x."""
    mirrored = p * [1, 1, 0] + np.abs(p) * [0, 0, 1]
    d = ellipsoid(p, [0.0, 0.42, 0.0], np.array([0.46, 0.42, 0.34]))
    d = united(d, ellipsoid(p, [0.18, 0.62, 0.0], np.array([0.28, 0.34, 0.26])), 0.08)
    d = united(d, ellipsoid(p, [0.34, 0.98, 0.0], np.array([0.27, 0.22, 0.21])), 0.08)
    d = united(d, ellipsoid(mirrored, [-0.12, 0.30, 0.26], np.array([0.32, 0.28, 0.16])), 0.05)
    d = united(d, capsule(mirrored, [-0.10, 0.10, 0.28], [0.16, 0.09, 0.32], 0.12, 0.11), 0.06)
    d = united(d, capsule(mirrored, [0.34, 0.50, 0.12], [0.46, 0.10, 0.12], 0.11, 0.11), 0.05)
    d = united(d, capsule(mirrored, [0.24, 1.12, 0.09], [0.08, 1.46, 0.17], 0.075, 0.065), 0.05)
    d = united(d, ellipsoid(p, [-0.50, 0.28, 0.0], np.array([0.13, 0.13, 0.13])), 0.05)
    return -united(-d, p[..., 1] - 0.02, 0.05)  # a flat foot


def teapot(p):
    """A pot with a lid, 2 m from the handle to the spout, which points along x."""
    d = ellipsoid(p, np.array([0, 0.46, 0]), np.array([0.66, 0.48, 0.66]))
    d = united(d, ellipsoid(p, np.array([0, 0.90, 0]), np.array([0.34, 0.09, 0.34])), 0.04)  # the lid
    d = united(d, ellipsoid(p, np.array([0, 1.02, 0]), np.array([0.10, 0.10, 0.10])), 0.04)
    d = united(d, capsule(p, [0.40, 0.30, 0], [0.78, 0.50, 0], 0.20, 0.13), 0.06)
    d = united(d, capsule(p, [0.78, 0.50, 0], [1.02, 0.86, 0], 0.13, 0.09), 0.04)
    d = united(d, torus(p, np.array([-0.66, 0.52, 0]), 0.29, 0.085), 0.04)
    return -united(-d, p[..., 1] - 0.03, 0.05)


def surface(distance, low, high, cell):
    """Vertices and triangles, facing outwards."""
    axes = [np.arange(a - 2.5 * cell, b + 2.5 * cell, cell) for a, b in zip(low, high)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), -1)
    inside = distance(grid) < 0
    count = sum(inside[i:inside.shape[0] - 1 + i, j:inside.shape[1] - 1 + j, k:inside.shape[2] - 1 + k].astype(int)
                for i in (0, 1) for j in (0, 1) for k in (0, 1))
    crossed = (count > 0) & (count < 8)
    number = np.full(crossed.shape, -1)
    number[crossed] = np.arange(crossed.sum())
    points = grid[:-1, :-1, :-1][crossed] + cell / 2
    quads = []
    for axis in range(3):  # each edge of the grid that crosses the surface has a quad around it
        u, v = (axis + 1) % 3, (axis + 2) % 3
        first = np.moveaxis(inside, (axis, u, v), (0, 1, 2))
        cells = np.moveaxis(number, (axis, u, v), (0, 1, 2))
        a, b = first[:-1, 1:-1, 1:-1], first[1:, 1:-1, 1:-1]
        corner = [cells[:, :-1, :-1], cells[:, 1:, :-1], cells[:, 1:, 1:], cells[:, :-1, 1:]]
        for where, order in ((a & ~b, (0, 1, 2, 3)), (~a & b, (3, 2, 1, 0))):
            quads.append(np.stack([corner[k][where] for k in order], -1))
    quads = np.concatenate(quads)

    def gradient(p):
        step = 1e-4
        return np.stack([(distance(p + step * e) - distance(p - step * e)) / (2 * step) for e in np.eye(3)], -1)

    edges = np.concatenate([quads[:, [k, (k + 1) % 4]] for k in range(4)])
    for _ in range(30):
        mean, degree = np.zeros_like(points), np.zeros(len(points))
        for a, b in ((0, 1), (1, 0)):
            np.add.at(mean, edges[:, a], points[edges[:, b]])
            np.add.at(degree, edges[:, a], 1)
        points = 0.5 * points + 0.5 * mean / degree[:, None]
        for _ in range(2):
            slope = gradient(points)
            size = np.maximum(np.sum(slope**2, -1), 1e-6)
            points -= np.clip(distance(points) / size, -0.5 * cell, 0.5 * cell)[:, None] * slope
    shorter = (np.linalg.norm(points[quads[:, 0]] - points[quads[:, 2]], axis=-1) <
               np.linalg.norm(points[quads[:, 1]] - points[quads[:, 3]], axis=-1))
    triangles = np.concatenate([quads[shorter][:, [0, 1, 2]], quads[shorter][:, [0, 2, 3]],
                                quads[~shorter][:, [0, 1, 3]], quads[~shorter][:, [1, 2, 3]]])
    return points, triangles


def write(name, comment, distance, low, high, cell):
    points, triangles = surface(distance, low, high, cell)
    points[:, 1] -= points[:, 1].min()
    sides = np.sort(np.concatenate([triangles[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
    if (np.unique(sides, axis=0, return_counts=True)[1] != 2).any():
        raise SystemExit(f"{name}: some edges do not have two triangles: take smaller cells")
    lines = [f"# {comment}"]
    lines += [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in points]
    lines += ["f {} {} {}".format(*(t + 1)) for t in triangles]
    (MESHES / name).write_text("\n".join(lines) + "\n")
    print(f"{name}: {len(points)} vertices, {len(triangles)} triangles, {np.ptp(points, axis=0)} m")


if __name__ == "__main__":
    write("hare.obj", "A sitting hare, m, y up.", hare, [-0.7, 0, -0.5], [0.7, 1.6, 0.5], 0.065)
    write("teapot.obj", "A pot with a lid, m, y up.", teapot, [-1.1, 0, -0.75], [1.25, 1.2, 0.75], 0.065)
