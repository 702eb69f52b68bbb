"""What the generators of multibody scenes share: vectors, rotations, and the writing of a scene with a body or joint per line."""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).parent
GROUND = {"name": "ground", "kind": "obstacle", "shape": {"plane": {}}}


# --- vectors and rotations -------------------------------------------------------------------------------------------------------------

def add(*vectors):
    return [sum(c) for c in zip(*vectors)]


def scaled(factor, v):
    return [factor * c for c in v]


def turned(axis, degrees, v):
    """v turned about an axis (Rodrigues)."""
    length = math.sqrt(sum(c * c for c in axis))
    n = [c / length for c in axis]
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    dot = sum(a * b for a, b in zip(n, v))
    cross = [n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0]]
    return [c * v[i] + s * cross[i] + (1 - c) * dot * n[i] for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def product(p, q):
    """Of quaternions [w, x, y, z]."""
    return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]


def quaternion(axis, degrees):
    length = math.sqrt(sum(c * c for c in axis))
    half = math.radians(degrees) / 2
    return [math.cos(half)] + [math.sin(half) * c / length for c in axis]


def rotate(q, v):
    return product(product(q, [0] + list(v)), [q[0], -q[1], -q[2], -q[3]])[1:]


# --- writing ---------------------------------------------------------------------------------------------------------------------------

def rounded(value):
    if isinstance(value, float):
        value = round(value, 9)
        return int(value) if value == int(value) else value
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(v) for v in value]
    return value


def line(value):
    """JSON on one line, with spaces inside braces as in the scenes written by hand."""
    value = rounded(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{k}": {line(v)}' for k, v in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return "[" + ", ".join(line(v) for v in value) + "]"
    return json.dumps(value)


def write(name, header, title, time, materials, bodies, joints, rest):
    """A scene with a body or joint per line."""
    lines = ["// " + text if text else "//" for text in header.strip().split("\n")]
    lines += ["{", '  "bulwark": 1,', f'  "title": {json.dumps(title)},', f'  "time": {line(time)},']
    if "gravity" in rest:
        lines.append(f'  "gravity": {line(rest.pop("gravity"))},')
    lines += ['  "materials": {', ",\n".join(f'    "{k}": {line(v)}' for k, v in materials.items()), "  },"]
    lines += ['  "bodies": [', ",\n".join("    " + line(b) for b in bodies), "  ],"]
    if joints:
        lines += ['  "joints": [', ",\n".join("    " + line(j) for j in joints), "  ],"]
    lines += [",\n".join(f'  "{k}": {line(v)}' for k, v in rest.items()), "}"]
    (HERE / f"{name}.json").write_text("\n".join(lines) + "\n")


def write_mesh(name, comment, vertices, faces=(), lines=()):
    """An obj file of triangles, or of lines through vertices."""
    text = [f"# {comment} Written by the generators beside the scenes."]
    text += ["v " + " ".join(f"{c:.9g}" for c in v) for v in vertices]
    text += ["f " + " ".join(str(i + 1) for i in f) for f in faces] + ["l " + " ".join(str(i + 1) for i in f) for f in lines]
    (HERE / "meshes").mkdir(exist_ok=True)
    (HERE / "meshes" / name).write_text("\n".join(text) + "\n")


def lathe(profile, sides):
    """Vertices and triangles of a closed profile of (radius, y) turned about y: the profile runs up on its outer side."""
    vertices, faces = [], []
    for radius, y in profile:
        for i in range(sides):
            a = 2 * math.pi * i / sides
            vertices.append((radius * math.cos(a), y, radius * math.sin(a)))
    rings = len(profile)
    for ring in range(rings):
        for i in range(sides):
            a, b = ring * sides + i, ring * sides + (i + 1) % sides
            c, d = (ring + 1) % rings * sides + i, (ring + 1) % rings * sides + (i + 1) % sides
            faces += [(a, c, b), (b, c, d)]
    return vertices, faces


def box(name, sides, position, material, **more):
    return {"name": name, "kind": "affine", "shape": {"box": sides}, "material": material, "position": position, **more}
