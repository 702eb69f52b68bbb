#!/usr/bin/env python3
"""Writes the scenes of flexible mechanisms.

Run it in any folder after a change: it overwrites the files that it names in scenes/validation.
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
RUBBER = {"model": "svk", "density": 1200, "young": 2e6, "poisson": 0.3,
          "damping": {"kind": "kelvin-voigt", "shear": 100, "bulk": 100}}
LENGTH, SIDE, TOP = 0.5, 0.04, 0.7


def write(name, comment, scene):
    lines = "".join(f"// {line}".rstrip() + "\n" for line in comment.strip().splitlines())
    (HERE / f"{name}.json").write_text(lines + json.dumps(scene, indent=1) + "\n")


def along(tilt, lean):
    """The direction of a hanging beam that is turned by `tilt` about y, then out of that plane by `lean` about x."""
    t, s = math.radians(tilt), math.radians(lean)
    x, z = math.sin(t), -math.cos(t)
    return [x, -z * math.sin(s), z * math.cos(s)]


def beam(name, top, tilt, lean, extra=None):
    d = along(tilt, lean)
    y, x = math.radians(-tilt) / 2, math.radians(lean) / 2
    rotation = {"quaternion": [math.cos(x) * math.cos(y), math.sin(x) * math.cos(y), math.cos(x) * math.sin(y), math.sin(x) * math.sin(y)]}
    body = {"name": name, "kind": "deformable", "order": 2, "material": "rubber",
            "shape": {"box": [SIDE, SIDE, LENGTH], "resolution": SIDE},
            "position": [round(p + 0.5 * LENGTH * c, 12) for p, c in zip(top, d)]}
    if tilt or lean:
        body["rotation"] = rotation
    body.update(extra or {})
    return body, [round(p + LENGTH * c, 12) for p, c in zip(top, d)]


def double_pendulum(joint, tilts, leans, time, young, viscosity, load=None):
    rubber = json.loads(json.dumps(RUBBER))
    rubber["young"] = young
    rubber["damping"].update(shear=viscosity, bulk=viscosity)
    axis = {"axis": [0, 1, 0]} if joint == "revolute" else {}
    upper, middle = beam("upper beam", [0, 0, TOP], tilts[0], leans[0])
    lower, _ = beam("lower beam", middle, tilts[1], leans[1], load)
    return {
        "bulwark": 1, "title": f"Double pendulum of T10 beams, {joint} joints" + (", pulled" if load else ""),
        "time": time, "gravity": [0, 0, -9.81], "materials": {"rubber": rubber},
        "bodies": [upper, lower],
        "joints": [dict(name="upper", kind=joint, bodies=["upper beam", "world"], point=[0, 0, TOP], **axis),
                   dict(name="lower", kind=joint, bodies=["lower beam", "upper beam"], point=middle, **axis)],
        "contact": {"model": "none"}, "solver": {"tolerance": 1e-4},
        "output": {"every": 100, "fields": ["stress"]},
        "camera": {"position": [0, -1.8, 0.3], "target": [0, 0, 0.25]},
    }


def pendulums():
    motion = {"step": 5e-4, "steps": 5000}
    write("double_pendulum_revolute", """
Two rubber beams of 0.5 m hang below each other on hinges about y, turned out by 35 and -25 degrees, and are let go.

Right: they swing in the plane y = 0, close to two rigid rods; the energy falls; the hinges stay closed to 1e-8.""",
          double_pendulum("revolute", (35, -25), (0, 0), motion, 2e6, 100))
    write("double_pendulum_spherical", """
The same on spherical joints, and leaning out of the plane by 18 and -27 degrees.

Right: the lower end leaves the plane; the energy falls; the joints stay closed to 1e-8.""",
          double_pendulum("spherical", (35, -25), (18, -27), motion, 2e6, 100))
    for joint in ("revolute", "spherical"):
        load = {"force": {"times": [0, 0.1], "values": [[0, 0, 0], [0, 0, -40]],
                          "selection": {"plane": [[0, 0, TOP - 2 * LENGTH + 0.05], [0, 0, -1]]}}}
        write(f"pull_{joint}", f"""
Two beams of 0.96 kg hang straight on {joint} joints; the lowest 5 cm are pulled down by 40 N, which grow over the first 0.1 s.

Right: at the end the lower joint carries 0.96 kg g + 40 N = 49.42 N and the upper one 58.84 N, straight up.""",
              double_pendulum(joint, (0, 0), (0, 0), {"step": 5e-4, "steps": 1000}, 1e7, 1e4, load))


if __name__ == "__main__":
    pendulums()
