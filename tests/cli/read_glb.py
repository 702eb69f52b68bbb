# Reads a .glb file as the glTF 2.0 standard describes it, and nothing more leniently. Prints the positions of every
# body's vertices at the first and the last key of the animation, one body a line, as JSON.
import json
import struct
import sys

import numpy

data = open(sys.argv[1], "rb").read()
magic, version, length = struct.unpack_from("<4sII", data, 0)
assert magic == b"glTF" and version == 2 and length == len(data), "header"
size, kind = struct.unpack_from("<I4s", data, 12)
assert kind == b"JSON" and size % 4 == 0, "first chunk"
document = json.loads(data[20:20 + size])
binary_size, kind = struct.unpack_from("<I4s", data, 20 + size)
assert kind == b"BIN\0" and binary_size % 4 == 0, "second chunk"
binary = data[28 + size:28 + size + binary_size]
assert 28 + size + binary_size == length, "length"
assert document["asset"]["version"] == "2.0"
assert len(document["buffers"]) == 1 and document["buffers"][0]["byteLength"] == len(binary)

COMPONENTS = {5125: numpy.dtype("<u4"), 5126: numpy.dtype("<f4")}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def accessor(index):
    a = document["accessors"][index]
    view = document["bufferViews"][a["bufferView"]]
    dtype = COMPONENTS[a["componentType"]]
    assert view["byteOffset"] % 4 == 0 and view["byteOffset"] + view["byteLength"] <= len(binary)
    width = WIDTH[a["type"]]
    assert view["byteLength"] == a["count"] * width * dtype.itemsize, "view and accessor agree"
    values = numpy.frombuffer(binary, dtype, a["count"] * width, view["byteOffset"]).reshape(a["count"], width)
    assert dtype.kind == "u" or numpy.isfinite(values).all()
    if "min" in a:
        assert numpy.array_equal(values.min(axis=0), numpy.array(a["min"], dtype=dtype)), "min"
        assert numpy.array_equal(values.max(axis=0), numpy.array(a["max"], dtype=dtype)), "max"
    return values


def rotated(q, points):
    x, y, z, w = q
    u = numpy.array([x, y, z])
    return points + 2 * numpy.cross(u, numpy.cross(u, points) + w * points)


animated = {}
for animation in document.get("animations", []):
    for channel in animation["channels"]:
        sampler = animation["samplers"][channel["sampler"]]
        assert sampler["interpolation"] == "LINEAR"
        times = accessor(sampler["input"])[:, 0]
        assert "min" in document["accessors"][sampler["input"]], "times have bounds"
        assert (numpy.diff(times) > 0).all(), "times ascend"
        values = accessor(sampler["output"])
        if channel["target"]["path"] == "weights":
            values = values.reshape(len(times), -1)
        assert len(values) == len(times)
        animated[channel["target"]["node"], channel["target"]["path"]] = values

scene = document["scenes"][document["scene"]]
result = []
for index in scene["nodes"]:
    node = document["nodes"][index]
    mesh = document["meshes"][node["mesh"]]
    for primitive in mesh["primitives"]:
        points = accessor(primitive["attributes"]["POSITION"])
        assert "min" in document["accessors"][primitive["attributes"]["POSITION"]]
        if "NORMAL" in primitive["attributes"]:
            normals = accessor(primitive["attributes"]["NORMAL"])
            assert len(normals) == len(points)
            assert abs(numpy.linalg.norm(normals, axis=1) - 1).max() < 1e-5
        indices = accessor(primitive["indices"])[:, 0]
        assert indices.max() < len(points)
        assert len(indices) % {0: 1, 1: 2, 4: 3}[primitive["mode"]] == 0
        assert primitive["material"] < len(document["materials"])
        targets = [accessor(t["POSITION"]) for t in primitive.get("targets", [])]
        states = {}
        for name, key in (("first", 0), ("last", -1)):
            moved = points.astype(float)
            if targets:
                weights = animated[index, "weights"][key]
                assert len(weights) == len(targets) == len(mesh["weights"])
                moved = moved + sum(w * t for w, t in zip(weights, targets))
            turn = animated.get((index, "rotation"), [node.get("rotation", [0, 0, 0, 1])])[key]
            place = animated.get((index, "translation"), [node["translation"]])[key]
            assert abs(numpy.linalg.norm(turn) - 1) < 1e-5
            states[name] = (rotated(turn, moved) + place).tolist()
        print(json.dumps({"name": node["name"], "mode": primitive["mode"], "targets": len(targets),
                          "rigid": (index, "rotation") in animated, **states}))
