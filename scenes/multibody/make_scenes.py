#!/usr/bin/env python3
"""Writes the multibody scenes of stiff bodies whose bodies and joints follow from a formula, and the tube mesh that some of them use.

Run it in any folder after a change: it overwrites scenes/multibody/*.json of these names. With names given as arguments (make_scenes.py
windmill ragdoll), it writes only these.
"""
import math
import random
import sys

from scene_writing import GROUND, add, box, cross, lathe, product, quaternion, rotate, scaled, turned, write, write_mesh


def write_tube():
    """A tube along y of outer radius 1, inner radius 0.88 and height 1, closed at its rims."""
    vertices, faces = lathe([(1, -0.5), (1, 0.5), (0.88, 0.5), (0.88, -0.5)], 24)
    write_mesh("tube.obj", "A tube along y: outer radius 1, inner radius 0.88, height 1.", vertices, faces)


def monocular():
    write_tube()
    along_x = {"axis": [0, 0, 1], "degrees": -90}
    bodies = []
    for i, (name, radius) in enumerate((("outer", 0.03), ("middle", 0.025), ("inner", 0.0205))):
        body = {"name": name, "kind": "affine", "mesh": "meshes/tube.obj", "scale": [radius, 0.14, radius], "material": "brass",
                "position": [0.006 * i, 0, 0], "rotation": along_x}
        if i == 0:
            def key(time, degrees):
                return {"time": time, "rotation": {"axis": [0, 0, 1], "degrees": degrees}}
            body |= {"fixed": True, "motion": [key(0.5, -60), key(1.5, -60), key(2.5, 60), key(3.5, 60), key(4.5, -60)]}
        bodies.append(body)
    joints = [{"name": name, "kind": "slider", "bodies": pair, "point": [0, 0, 0], "axis": [1, 0, 0], "limits": [-0.004, 0.11]}
              for name, pair in (("first", ["middle", "outer"]), ("second", ["inner", "middle"]))]
    write("monocular", """
A monocular of three tubes, each sliding in the next by at most 114 mm: the outer tube is tilted down, up, and down again, and gravity pulls
the others out and lets them back in (source: bounded sliding). The tubes are of one group: what keeps them apart are the sliders alone.

Right: both sliders (joints.csv) come to within a few mm of their upper limit 0.11 m while the tube points down, near the lower one, -0.004 m,
while it points up, and to the upper again; neither limit is ever passed, no section falls out, and the tubes stay coaxial (`error`, what
the stiff springs leave, below 1e-4 m).""", "Monocular of three sections", {"step": 0.01, "duration": 5.5},
          {"brass": {"model": "affine", "density": 8500}}, [b | {"group": 1} for b in bodies], joints,
          {"contact": {"distance": 0.001}, "output": {"every": 5}})


def windmill(name="windmill", columns=7, storeys=11, duration=3.0):
    side, below, beside = 0.2, 0.0015, 0.006
    axle = [0, 3.4, 0]
    blade = [2.6, 0.12, 0.7]
    bodies = [GROUND,
              {"name": "stand", "kind": "obstacle", "shape": {"box": [0.3, 3.6, 0.3]}, "position": [0, 1.81, -0.75]},
              {"name": "hub", "kind": "affine", "shape": {"cylinder": {"radius": 0.2, "height": 0.9}, "resolution": 0.3}, "material": "wood",
               "position": axle, "rotation": {"axis": [1, 0, 0], "degrees": 90}, "group": 1}]
    joints = [{"name": "axle", "kind": "hinge", "bodies": ["hub", "world"], "point": axle, "axis": [0, 0, 1]}]
    for i in range(4):
        place = add(axle, turned([0, 0, 1], 90 * i + 10, [1.55, 0, 0]))
        bodies.append(box(f"blade-{i + 1}", blade, place, "wood", rotation={"axis": [0, 0, 1], "degrees": 90 * i + 10}, group=1))
        joints.append({"name": f"blade-{i + 1}", "kind": "weld", "bodies": [f"blade-{i + 1}", "hub"]})
    bodies.append(box("weight", [0.7, 0.7, 0.6], [2.2, 5.2, 0], "iron"))
    pitch, storey = side + beside, side + below
    for stack, x in (("left", -1.9), ("right", 1.5)):
        bodies.append(box(stack, [side] * 3, [x - (columns - 1) / 2 * pitch, side / 2 + below, -pitch],
                          "crate", repeat={"count": [columns, storeys, 3], "spacing": [pitch, storey, pitch]}))
    count = 6 + 2 * 3 * columns * storeys
    write(name, f"""
A heavy box falls on a blade of a windmill (hub and four welded blades on a hinge); the wheel turns and its blades sweep two stacks of boxes
off the ground: {count} bodies (source: windmill).

Right: the wheel turns clockwise (the axle's angle in joints.csv falls), the lower blade runs into the left stack, the struck blade into the
right one, boxes scatter over the ground; nothing is buried in the ground or in another box, the wheel stays at its axle.""",
          f"Windmill and {2 * 3 * columns * storeys} boxes", {"step": 1 / 240, "duration": duration},
          {"wood": {"model": "affine", "density": 500}, "crate": {"model": "affine", "density": 200}, "iron": {"model": "affine", "density": 7800}},
          bodies, joints, {"contact": {"distance": 0.002, "friction": 0.2}, "solver": {"tolerance": 0.002}, "output": {"every": 10}})


# A ragdoll stands at the origin, looks along z, is 1.75 m tall. Every part but the pelvis hangs by a joint on a parent: parent, the joint's
# place, the part's direction from there and length (with the gaps at its ends), width and depth, frame (x: twist, y: first bend), and the
# ranges bend y, bend z, twist. Parts start a little bent where a range ends at straight.
GAP = 0.02
RAGDOLL = {
    "torso": ("pelvis", [0, 1.1, 0], [0, 1, 0], 0.42, 0.32, 0.18, [0, 1, 0], [1, 0, 0], [-20, 40], [-20, 20], [-30, 30]),
    "head": ("torso", [0, 1.52, 0], [0, 1, 0], 0.24, 0.15, 0.17, [0, 1, 0], [1, 0, 0], [-40, 40], [-30, 30], [-60, 60]),
}
for side, sign in (("left", 1), ("right", -1)):
    down = turned([0, 0, 1], sign * 12, [0, -1, 0])
    shoulder, hip = [sign * 0.2, 1.44, 0], [sign * 0.09, 0.92, 0]
    elbow, knee = add(shoulder, scaled(0.3, down)), add(hip, [0, -0.43, 0])
    # Elbows: 5 degrees of the 135 are used at the start. They bend forward, about -x: z of the frame, with x along the arm.
    forearm = turned([1, 0, 0], -5, down)
    shin = turned([1, 0, 0], 5, [0, -1, 0])
    RAGDOLL |= {
        f"{side}-upper-arm": ("torso", shoulder, down, 0.3, 0.08, 0.08, down, [0, 0, 1], [-80, 80], [-80, 80], [-45, 45]),
        f"{side}-forearm": (f"{side}-upper-arm", elbow, forearm, 0.3, 0.07, 0.07, forearm, "elbow", [-5, 5], [-130, 5], [-10, 10]),
        f"{side}-thigh": ("pelvis", hip, [0, -1, 0], 0.43, 0.13, 0.13, [0, -1, 0], [0, 0, 1], [-35, 35], [-25, 85], [-20, 20]),
        f"{side}-shin": (f"{side}-thigh", knee, shin, 0.46, 0.1, 0.1, shin, "knee", [-5, 5], [-130, 5], [-10, 10]),
    }


def ragdoll_parts(prefix, place, q):
    """Bodies and joints of a ragdoll turned by the quaternion q about (0, 1, 0) and moved by `place`."""
    center = [0, 1, 0]

    def put(x):
        return add(rotate(q, add(x, scaled(-1, center))), center, place)

    bodies = [box(prefix + "pelvis", [0.28, 0.14, 0.17], put([0, 1.01, 0]), "flesh", rotation={"quaternion": q})]
    joints = []
    for part, (parent, joint, along, length, width, depth, x, y, bend_y, bend_z, twist) in RAGDOLL.items():
        middle = add(joint, scaled(length / 2, along))
        up = [0, 1, 0] if along[1] > 0 else [0, -1, 0]
        axis = cross(up, along)
        sine = math.sqrt(sum(c * c for c in axis))
        own = quaternion(axis, math.degrees(math.asin(sine))) if sine > 1e-9 else [1, 0, 0, 0]
        sides = [width, length - GAP, depth]
        shape = {"box": sides} if part == "torso" else {"capsule": {"radius": width / 2, "height": length - GAP}, "resolution": width / (3 if part == "head" else 2)}
        bodies.append({"name": prefix + part, "kind": "affine", "shape": shape, "material": "flesh", "position": put(middle),
                       "rotation": {"quaternion": product(q, own)}})
        if y in ("elbow", "knee"):
            # z, the axis of the wide bend, is the body's x or its opposite: y = z x x.
            z = [1, 0, 0] if y == "elbow" else [-1, 0, 0]
            y = cross(z, x)
        joints.append({"name": prefix + part, "kind": "cone-twist", "bodies": [prefix + part, prefix + parent], "point": put(joint),
                       "frame": {"x": rotate(q, x), "y": rotate(q, y)}, "bend_y_degrees": bend_y, "bend_z_degrees": bend_z,
                       "twist_degrees": twist})
    return bodies, joints


def ragdolls(name, count, duration, header, title):
    chance = random.Random(7)
    bodies, joints = [GROUND], []
    if count == 1:
        places = [([0, 0.6, 0], quaternion([1, 0, 0], 25))]
    else:
        columns = 3
        places = []
        for i in range(count):
            layer, cell = divmod(i, columns * columns)
            z, x = divmod(cell, columns)
            # Lying along x, turned about the vertical and rolled at random, each within its own cell.
            q = product(quaternion([0, 1, 0], chance.uniform(-20, 20)), product(quaternion([0, 0, 1], 90), quaternion([0, 1, 0], chance.uniform(0, 360))))
            places.append(([2.2 * (x - 1), -0.55 + 0.95 * layer + chance.uniform(0, 0.15), 1.4 * (z - 1)], q))
    for i, (place, q) in enumerate(places):
        more_bodies, more_joints = ragdoll_parts("" if count == 1 else f"{i + 1}-", place, q)
        bodies += more_bodies
        joints += more_joints
    write(name, header, title, {"step": 0.01, "duration": duration}, {"flesh": {"model": "affine", "density": 1000}}, bodies, joints,
          {"contact": {"distance": 0.004, "friction": 0.2, "static_speed": 0.005}, "solver": {"tolerance": 0.005 if count == 1 else 0.001}, "output": {"every": 5}})


def ragdoll():
    ragdolls("ragdoll", 1, 2.5, """
A ragdoll of 11 bodies and 10 cone-twist joints falls forward from 0.6 m. Every joint has three ranges of its own, as a human body's: an
elbow bends from -135 to 0 degrees (it starts at -5, so its limits here are -130 and 5), by 5 about the other axis, twists by 10 (source: ragdolls).

Right: it lands on its feet, folds at knees and hips, falls on its face and lies flat; no knee or elbow bends the wrong way, no range is ever
passed, `error` in joints.csv stays below 1e-12.""", "Ragdoll")


def ragdolls_60():
    ragdolls("ragdolls-60", 60, 1.5, """
60 ragdolls (660 bodies, 600 cone-twist joints with three ranges each) fall in a heap (source: ragdolls).

Right: the lowest land first and the others come down on them; all joints hold, no range is passed, nothing intersects. At the end (1.5 s)
all of them have landed.""", "60 ragdolls")


def vehicle():
    write_tube()
    radius, clearance = 0.25, 0.005
    axle_y = radius + clearance
    bodies, joints = [], []
    # Terrain: flat at the start, then hills of growing slope, uneven across.
    columns, rows, length, width = 65, 13, 16.0, 4.0
    heights = []
    for r in range(rows):
        z = (r / (rows - 1) - 0.5) * width
        row = []
        for c in range(columns):
            x = c / (columns - 1) * length - 2
            rise = min(1.0, max(0.0, (x - 0.8) / 2))
            row.append(rise * (0.035 * (1 - math.cos(2.2 * (x - 0.8))) + 0.004 * math.sin(2.9 * x + 1.7 * z)))
        heights.append(row)
    bodies.append({"name": "terrain", "kind": "obstacle", "shape": {"height_field": {"size": [length, width], "heights": heights}}, "position": [length / 2 - 2, 0, 0]})
    bodies.append(box("chassis", [1.2, 0.14, 0.5], [0, axle_y + 0.1, 0], "body"))
    wheel_shape = {"cylinder": {"radius": radius, "height": 0.1}, "resolution": 0.09}
    for name, x, z in (("front-left", 0.45, -0.36), ("front-right", 0.45, 0.36), ("back-left", -0.45, -0.36), ("back-right", -0.45, 0.36)):
        bodies.append({"name": name, "kind": "affine", "shape": wheel_shape, "material": "tyre", "position": [x, axle_y, z],
                       "rotation": {"axis": [1, 0, 0], "degrees": 90}})
        joints.append({"name": f"axle-{name}", "kind": "hinge", "bodies": [name, "chassis"], "point": [x, axle_y, z], "axis": [0, 0, 1]})
    # The engine lies outside the right wheels: one crank pin on the back-right wheel, on top at the start, for a lying and a standing cylinder.
    # The turn of the wheel: from rest to 4 rad/s in 2 s, then even.
    crank, rod, axle = 0.12, 0.5, [-0.45, axle_y, 0.47]
    pin = add(axle, [0, crank, 0])
    times = [0.05 * i for i in range(181)]
    turn = [math.degrees(t * t if t < 2 else 4 * (t - 1)) for t in times]
    for name, direction in (("lying", 0), ("standing", 90)):
        def stroke(degrees):
            """Way of the piston's pin from the axle when the crank pin stands at this angle."""
            a = math.radians(degrees - direction)
            return crank * math.cos(a) + math.sqrt(rod * rod - (crank * math.sin(a)) ** 2)

        along = turned([0, 0, 1], direction, [1, 0, 0])
        upright = {"axis": [0, 0, 1], "degrees": direction + 90}
        piston_pin = add(axle, scaled(stroke(90), along))
        lean = math.degrees(math.atan2(piston_pin[1] - pin[1], piston_pin[0] - pin[0]))
        bodies += [
            box(f"{name}-rod", [rod + 0.04, 0.04, 0.02], scaled(0.5, add(pin, piston_pin)), "steel", rotation={"axis": [0, 0, 1], "degrees": lean}),
            {"name": f"{name}-piston", "kind": "affine", "shape": {"cylinder": {"radius": 0.04, "height": 0.12}, "resolution": 0.04}, "material": "steel",
             "position": add(piston_pin, scaled(0.06, along)), "rotation": upright},
            {"name": f"{name}-cylinder", "kind": "affine", "mesh": "meshes/tube.obj", "scale": [0.05, 0.3, 0.05], "material": "steel",
             "position": add(axle, scaled(rod + 0.08, along)), "rotation": upright}]
        joints += [
            {"name": f"{name}-cylinder", "kind": "weld", "bodies": [f"{name}-cylinder", "chassis"]},
            {"name": f"{name}-stroke", "kind": "slider", "bodies": [f"{name}-piston", "chassis"], "point": piston_pin, "axis": along},
            {"name": f"{name}-piston-pin", "kind": "hinge", "bodies": [f"{name}-rod", f"{name}-piston"], "point": piston_pin, "axis": [0, 0, 1]},
            {"name": f"{name}-crank-pin", "kind": "point", "bodies": [f"{name}-rod", "back-right"], "point": pin},
            {"name": f"{name}-engine", "kind": "motor", "joint": f"{name}-stroke",
             "position": {"times": times, "values": [stroke(90 - a) - stroke(90) for a in turn]}}]
    write("vehicle", """
A vehicle of eleven bodies crosses hills, driven by two cylinders at right angles: their pistons slide in the chassis, their rods turn the crank
pin of the back-right wheel, the other three wheels are passive (source: terrain navigation with cylinder-driven vehicle; there one piston is
pulled by a constant force, here motors move two to and fro, so that no dead point stops the wheel).

Right: the pistons move to and fro (`lying-stroke` and `standing-stroke` in joints.csv, 0.24 m from end to end, a quarter turn apart), all wheels
turn the same way, and the vehicle drives over the hills without slipping: its path is about the wheels' turn times the radius. (A wheel of flat
faces meets the ground with another face at every step; with friction_iterations 1, friction follows the contacts of the step before, and the wheels slip.)""",
          "Cylinder-driven vehicle on hills", {"step": 1 / 24, "duration": 9},
          {"body": {"model": "affine", "density": 300}, "tyre": {"model": "affine", "density": 600}, "steel": {"model": "affine", "density": 2000}},
          bodies[:1] + [b | {"group": 1} for b in bodies[1:]], joints, {"contact": {"distance": 0.004, "friction": 0.8, "friction_iterations": 4}})


def unicycle():
    radius, major, minor = 0.33, 0.3, 0.03
    lean = 3
    q = quaternion([1, 0, 0], lean)
    bodies, joints = [GROUND], []
    for name, z, speed in (("slow", -3.0, 1.0), ("middle", 0.0, 1.4), ("fast", 3.0, 3.0)):
        def put(x):
            return add(rotate(q, x), [0, 0.003, z])

        def part(part_name, sides, x, material):
            return box(f"{name}-{part_name}", sides, put(x), material, rotation={"quaternion": q}, velocity=[speed, 0, 0], group=1)
        axle = [0, radius, 0]
        bodies.append({"name": f"{name}-wheel", "kind": "affine", "shape": {"torus": {"major": major, "minor": minor}, "resolution": 0.025},
                       "material": "tyre", "position": put(axle), "rotation": {"quaternion": product(q, quaternion([1, 0, 0], 90))},
                       "velocity": [speed, 0, 0], "angular_velocity_degrees": scaled(-math.degrees(speed / radius), rotate(q, [0, 0, 1])), "group": 1})
        bodies += [part("left-leg", [0.03, 0.7, 0.02], [0, radius + 0.11, -0.06], "wood"),
                   part("right-leg", [0.03, 0.7, 0.02], [0, radius + 0.11, 0.06], "wood"),
                   part("saddle", [0.24, 0.04, 0.16], [0, radius + 0.48, 0], "wood"),
                   part("left-pedal", [0.1, 0.03, 0.1], [0, radius - 0.15, -0.12], "iron"),
                   part("right-pedal", [0.1, 0.03, 0.1], [0, radius - 0.15, 0.12], "iron")]
        joints.append({"name": f"{name}-axle", "kind": "hinge", "bodies": [f"{name}-wheel", f"{name}-left-leg"], "point": put(axle),
                       "axis": rotate(q, [0, 0, 1])})
        joints += [{"name": f"{name}-{p}", "kind": "weld", "bodies": [f"{name}-{p}", f"{name}-left-leg"]}
                   for p in ("right-leg", "saddle", "left-pedal", "right-pedal")]
    write("unicycle", """
Three unicycles, leaning by 3 degrees, start at 1, 1.4 and 3 m/s: the spin of the wheel turns the fall into a turn (source: precession). Heavy
pedals below the axle keep the saddle up; the wheel turns freely in the fork.

Right: all lean to the same side (+z) and steer into that turn. The slow one spirals down and lies on its side after 1.3 s; the middle one runs a
circle, leaning ever more; the fast one rolls on in a wide curve at its first height. The faster, the farther it goes in its direction.""",
          "Unicycles of three speeds", {"step": 1 / 240, "duration": 3},
          {"tyre": {"model": "affine", "density": 2000}, "wood": {"model": "affine", "density": 500}, "iron": {"model": "affine", "density": 7800}},
          bodies, joints, {"contact": {"distance": 0.002, "friction": 0.8, "static_speed": 0.005}, "solver": {"tolerance": 0.002}, "output": {"every": 12}})


def octopus():
    arms, segments, gap, length = 8, 6, 0.02, 0.17
    head = [0, 1.55, 0]
    repeat = {"count": [1, 2, 1], "spacing": [0, 1.1, 0]}
    bodies = [GROUND, {"name": "table", "kind": "obstacle", "shape": {"box": [0.8, 0.9, 0.8]}, "position": [0.15, 0.46, 0]},
              {"name": "head", "kind": "affine", "shape": {"sphere": 0.22, "resolution": 0.11}, "material": "flesh", "position": head, "repeat": repeat}]
    joints = []
    for arm in range(arms):
        out = turned([0, 1, 0], 360 / arms * (arm + 0.5), [1, 0, 0])
        along = turned(cross(out, [0, 1, 0]), -12, out)
        joint = add(head, scaled(0.24, along))
        parent = "head"
        for segment in range(segments):
            name = f"arm-{arm + 1}-{segment + 1}"
            radius = 0.045 - 0.004 * segment
            middle = add(joint, scaled(length / 2, along))
            axis = cross([0, 1, 0], along)
            angle = math.degrees(math.acos(along[1]))
            bodies.append({"name": name, "kind": "affine", "shape": {"capsule": {"radius": radius, "height": length - gap}, "resolution": radius},
                           "material": "flesh", "position": middle, "rotation": {"quaternion": quaternion(axis, angle)}, "repeat": repeat})
            joints.append({"name": name, "kind": "cone-twist", "bodies": [name, parent], "point": joint, "frame": {"x": along, "y": [0, 1, 0]},
                           "bend_y_degrees": [-35, 35], "bend_z_degrees": [-35, 35], "twist_degrees": [-10, 10]})
            joint = add(joint, scaled(length, along))
            parent = name
    write("octopus", """
Two octopuses, a head with eight tentacles of six segments each, fall on a table: 98 bodies, 96 cone-twist joints that bend by 35 degrees
and twist by 10 (source: affine body dynamics' articulated bodies).

Right: the tentacles of the lower one drape over the table's edges, bent evenly along their length, never by more than 35 degrees at a joint;
the upper one sits on it, its tentacles down around the other's; no segment passes through another or the table.""",
          "Octopuses of jointed tentacles", {"step": 0.01, "duration": 2},
          {"flesh": {"model": "affine", "density": 1000}}, bodies, joints,
          {"contact": {"distance": 0.003, "friction": 0.2}, "solver": {"tolerance": 0.003}, "output": {"every": 5}})


def windmill_small():
    windmill("windmill-small", 3, 6, 2.0)


SCENES = {"monocular": monocular, "windmill": windmill, "windmill-small": windmill_small, "ragdoll": ragdoll, "ragdolls-60": ragdolls_60, "vehicle": vehicle, "unicycle": unicycle,
          "octopus": octopus}


def main():
    for name in sys.argv[1:] or SCENES:
        SCENES[name]()


if __name__ == "__main__":
    main()
