#!/usr/bin/env python3
"""Writes the multibody scenes with cloth and rods: coat rack, bridge, pulleys, umbrella, candy, hammock, ship.

Run it in any folder after a change: it overwrites scenes/multibody/*.json of these names, and their meshes. With names given as arguments
(make_thin_scenes.py pulley umbrella), it writes only these.
"""
import math
import sys

from make_scenes import ragdoll_parts
from scene_writing import GROUND, add, box, cross, lathe, product, quaternion, scaled, turned, write, write_mesh

COTTON = {"model": "cloth", "density": 300, "thickness": 1e-3, "young": 2e5, "poisson": 0.3, "bending_young": 2e4}


def coat_rack():
    """Five bars of 0.3 m hang between two fixed points; each is turned against the next by 18 degrees at the start."""
    length, gap = 0.3, 0.02
    bodies, joints = [], []
    point, parent = [-0.708, 1.6, 0], "world"
    for i, slope in enumerate((-36, -18, 0, 18, 36)):
        along = turned([0, 0, 1], slope, [1, 0, 0])
        name = f"bar-{i + 1}"
        bodies.append(box(name, [length - gap, 0.02, 0.02], add(point, scaled(length / 2, along)), "wood", rotation={"axis": [0, 0, 1], "degrees": slope}))
        joints.append({"name": f"end-{i + 1}", "kind": "point", "bodies": [name, parent], "point": point})
        point, parent = add(point, scaled(length, along)), name
    joints.append({"name": "end-6", "kind": "point", "bodies": ["bar-5", "world"], "point": point})
    lowest = 1.6 - length * (math.sin(math.radians(36)) + math.sin(math.radians(18)))
    middle = [-0.708 + length * (math.cos(math.radians(36)) + math.cos(math.radians(18)) + 0.5), lowest - 0.03, 0]
    cells = 16
    bodies.append({"name": "coat", "kind": "shell", "shape": {"grid": {"size": [0.6, 0.6], "cells": [cells, cells]}}, "material": "cotton", "position": middle})
    joints.append({"name": "hook", "kind": "attach", "bodies": ["coat", "bar-3"], "selection": {"sphere": [middle, 0.02]}})
    write("coat-rack", """
A square of cloth hangs by its middle on a rack of five bars, joined end to end between two fixed points (source: point connection with cloth).

Right: the cloth falls from level and hangs in folds below the middle bar, which it pulls down a little; the bars stay joined (`error` in
joints.csv below 1e-12) and the middle of the cloth stays at the bar. The sum of the forces of end-1 and end-6 comes to the weight of all.""",
          "Coat rack", {"step": 0.02, "duration": 2},
          {"wood": {"model": "affine", "density": 700}, "cotton": COTTON}, bodies, joints,
          {"contact": {"distance": 0.002, "friction": 0.2}, "output": {"every": 5}})


def hanging_bridge():
    boards, pitch, half = 40, 0.1, 0.33
    length = boards * pitch + 0.35
    rope = {"model": "rod", "density": 1000, "radius": 0.01, "young": 1e8, "bending_young": 1e6, "twisting_shear": 1e6}
    bodies, joints = [GROUND], []
    segments = round(length / (pitch / 2))
    for side, z in (("left", -half), ("right", half)):
        for kind, y in (("foot", 1.5), ("hand", 2.2)):
            ends = [{"selection": {"plane": [[s * length / 2, 0, 0], [s, 0, 0]]}} for s in (-1, 1)]
            bodies.append({"name": f"{side}-{kind}-rope", "kind": "rod",
                           "shape": {"line": {"from": [-length / 2, y, z], "to": [length / 2, y, z], "segments": segments if kind == "foot" else 24}},
                           "material": "rope" if kind == "foot" else "thin", "fixed": ends})
    for i in range(boards):
        x = (i - (boards - 1) / 2) * pitch
        bodies.append(box(f"board-{i + 1}", [0.08, 0.02, 0.6], [x, 1.5, 0], "wood"))
        for side, z in (("left", -half), ("right", half)):
            for end, offset in (("back", -pitch / 4), ("front", pitch / 4)):
                joints.append({"name": f"{side}-{end}-{i + 1}", "kind": "point", "bodies": [f"{side}-foot-rope", f"board-{i + 1}"],
                               "point": [x + offset, 1.5, z]})
    for side, z in (("left", -half), ("right", half)):
        for i, x in enumerate((-1.1, 0, 1.1)):  # between two boards
            name = f"{side}-hanger-{i + 1}"
            bodies.append({"name": name, "kind": "rod", "shape": {"line": {"from": [x, 1.5, z], "to": [x, 2.2, z], "segments": 10}}, "material": "thin", "group": 1})
            for end, y in (("foot", 1.5), ("hand", 2.2)):
                joints.append({"name": f"{name}-{end}", "kind": "point", "bodies": [name, f"{side}-{end}-rope"], "point": [x, y, z]})
    bodies = [b | {"group": 1} if b["kind"] == "rod" else b for b in bodies]
    bodies.append({"name": "ball", "kind": "affine", "shape": {"sphere": 0.12, "resolution": 0.05}, "material": "wood", "position": [-1.9, 1.64, 0.02]})
    write("hanging-bridge", """
A bridge of 40 boards hangs on ten elastic rods: two ropes below, two as hand rails, six hangers between them; boards and rods are tied by
point joints. A ball lies at its left end (source: hanging bridge).

Right: the boards sag on their ropes, by about 0.2 m in the middle; the ball rolls down towards the middle, as its friction makes it turn, leaves
the middle line, tilts the boards, and falls off the side after 3.7 s. All boards stay tied (`error` in joints.csv below 1e-12).""",
          "Hanging bridge", {"step": 1 / 24, "duration": 4.5},
          {"wood": {"model": "affine", "density": 600}, "rope": rope, "thin": rope | {"radius": 0.005}}, bodies, joints,
          {"contact": {"distance": 0.003, "friction": 0.2}, "solver": {"tolerance": 0.003}})


def straight(a, b, pitch):
    """Points from a to b, without b."""
    length = math.dist(a, b)
    n = max(1, round(length / pitch))
    return [add(scaled(1 - i / n, a), scaled(i / n, b)) for i in range(n)]


def arc(center, radius, first, last, pitch):
    """Points on an arc in the xy plane from angle `first` to `last` (degrees), without the last."""
    n = max(1, round(abs(math.radians(last - first)) * radius / pitch))
    return [add(center, turned([0, 0, 1], first + (last - first) * i / n, [radius, 0, 0])) for i in range(n)]


def pulley():
    """Pulleys 1 to 3 hang in bights, 4 is fixed; a rope's way is `groove` from the pulleys' centers."""
    groove, pitch, wide = 0.02, 0.0025, 0.006
    bottom = groove - 0.0009  # 0.4 mm below the rope, whose radius is 0.5 mm
    profile = [(0.004, -wide), (0.024, -wide), (0.024, -0.0045), (bottom, -0.0006), (bottom, 0.0006), (0.024, 0.0045), (0.024, wide), (0.004, wide)]
    vertices, faces = lathe(profile, 48)
    write_mesh("pulley.obj", "A pulley with a groove, axis y, outer radius 24 mm.", vertices, faces)
    area_moment = 0
    for (r1, y1), (r2, y2) in zip(profile, profile[1:] + profile[:1]):
        area_moment += (y2 - y1) * (r1 * r1 + r1 * r2 + r2 * r2) / 3
    volume = abs(area_moment) * 48 / 2 * math.sin(2 * math.pi / 48)
    bracket_sides = [0.006, 0.04, 0.002]
    bracket_mass = 1e-3
    pulley_density = (18.14e-3 - bracket_mass) / volume
    bracket_density = bracket_mass / (bracket_sides[0] * bracket_sides[1] * bracket_sides[2])
    ceiling, pull = 0.5, 0.1
    centers = [[groove * i, 0.12 * i, 0] for i in range(3)] + [[4 * groove, 0.4, 0]]
    bodies, joints = [], []
    # A rope and the bracket it pulls by are of one group with that bracket's pulley: it only touches the pulley that it runs around.
    for i, c in enumerate(centers):
        n = i + 1
        mass_of_all = pulley_density if n < 4 else pulley_density * 18.14e-3 / (18.14e-3 - bracket_mass)
        bodies.append({"name": f"pulley-{n}", "kind": "affine", "mesh": "meshes/pulley.obj",
                       "material": {"model": "affine", "density": mass_of_all}, "position": c, "rotation": {"axis": [1, 0, 0], "degrees": 90}} |
                      ({"group": n} if n < 4 else {}))
        if n == 4:
            joints.append({"name": "axle-4", "kind": "hinge", "bodies": ["pulley-4", "world"], "point": c, "axis": [0, 0, 1]})
            continue
        joints.append({"name": f"plane-{n}", "kind": "plane", "bodies": [f"pulley-{n}", "world"], "point": c, "axis": [0, 0, 1]})
        bodies.append(box(f"bracket-{n}", bracket_sides, add(c, [0, -0.018, 0.008]), {"model": "affine", "density": bracket_density}, group=n))
        joints.append({"name": f"axle-{n}", "kind": "hinge", "bodies": [f"bracket-{n}", f"pulley-{n}"], "point": c, "axis": [0, 0, 1]})
    hook = [0, -0.035, 0]
    for n in (1, 2, 3):
        c = centers[n - 1]
        left, right = add(c, [-groove, 0, 0]), add(c, [groove, 0, 0])
        points = straight([left[0], ceiling, 0], left, 0.01) + arc(c, groove, 180, 360, pitch)
        if n < 3:
            end = add(centers[n], hook)
            points += straight(right, end, 0.01) + [end]
        else:
            top = centers[3]
            a, b = add(top, [-groove, 0, 0]), add(top, [groove, 0, 0])
            end = [b[0], pull, 0]
            points += straight(right, a, 0.01) + arc(top, groove, 180, 0, pitch) + straight(b, end, 0.01) + [end]
        write_mesh(f"rope-{n}.obj", f"Rope {n} of the pulleys.", points, lines=[list(range(len(points)))])
        bodies.append({"name": f"rope-{n}", "kind": "rod", "mesh": f"meshes/rope-{n}.obj", "material": "rope"} | ({"group": n + 1} if n < 3 else {}))
        joints.append({"name": f"ceiling-{n}", "kind": "point", "bodies": [f"rope-{n}", "world"], "point": points[0]})
        other = f"bracket-{n + 1}" if n < 3 else "world"
        joints.append({"name": f"end-{n}" if n < 3 else "pull", "kind": "point", "bodies": [f"rope-{n}", other], "point": points[-1]})
    top, low = add(centers[0], hook), add(centers[0], [0, -0.08, 0])
    bodies.append({"name": "rope-4", "kind": "rod", "shape": {"line": {"from": top, "to": low, "segments": 5}}, "material": "rope", "group": 1})
    bodies.append(box("load", [0.05, 0.05, 0.04], add(low, [0, -0.03, 0]), "load"))
    joints.append({"name": "load-top", "kind": "point", "bodies": ["rope-4", "bracket-1"], "point": top})
    joints.append({"name": "load-bottom", "kind": "point", "bodies": ["rope-4", "load"], "point": low})
    write("pulley", f"""
Three pulleys in bights of three ropes and a fixed fourth lift a load: each rope runs from the ceiling under one pulley up to the axle of the
next, the last over the fixed pulley to the hand, which stands still here. A pulley weighs 18.14 g with its bracket, the load 250 g (density
2500; --set /materials/load/density=500 makes it 50 g, 1000 100 g, and so on) (source: pulley system).

Right: after the ropes have stretched all is at rest, and the hand's force, fy of the joint `pull` in joints.csv, is that of the ideal
tackle: an eighth of the load's weight and 7/8 of a pulley's, 0.4622 N (50 g: 0.2169 N), within 2 %. The load and pulleys hang still,
ropes stay in their grooves.""", "Pulleys", {"step": 1 / 24, "duration": 1.5},
          {"rope": {"model": "rod", "density": 100, "radius": 5e-4, "young": 1e9, "bending_young": 1e5, "twisting_shear": 1e5},
           "load": {"model": "affine", "density": 2500}}, bodies, joints,
          {"contact": {"distance": 5e-4, "friction": 0.2}, "solver": {"tolerance": 3e-4}})


def umbrella():
    ribs, length, open_degrees, rings = 6, 0.5, 30, 14
    crown, runner_y, reach, hub = 1.0, 0.75, 0.25, 0.03
    thick = 0.008
    bodies, joints = [], []
    bodies.append({"name": "shaft", "kind": "obstacle", "shape": {"box": [0.012, 0.7, 0.012]}, "position": [0, 0.62, 0], "group": 1})
    bodies.append(box("runner", [0.03, 0.03, 0.03], [0, runner_y, 0], "steel", group=1))
    joints.append({"name": "piston", "kind": "slider", "bodies": ["runner", "world"], "point": [0, runner_y, 0], "axis": [0, 1, 0], "limits": [-0.25, 0.05]})
    joints.append({"name": "hand", "kind": "motor", "joint": "piston", "position": {"times": [0, 0.25, 2], "values": [0, 0, -0.21]}})
    slope = math.radians(open_degrees)
    for i in range(ribs):
        out = turned([0, 1, 0], 360 / ribs * i, [1, 0, 0])
        across = cross([0, 1, 0], out)
        along = add(scaled(math.cos(slope), out), [0, -math.sin(slope), 0])
        start = add([0, crown, 0], scaled(hub, out))
        turn = product(quaternion([0, 1, 0], 360 / ribs * i), quaternion([0, 0, 1], -open_degrees))
        rib, strut = f"rib-{i + 1}", f"strut-{i + 1}"
        bodies.append(box(rib, [length, thick, thick], add(start, scaled(length / 2, along)), "steel", rotation={"quaternion": turn}, group=1))
        joints.append({"name": rib, "kind": "hinge", "bodies": [rib, "world"], "point": start, "axis": across})
        low = add([0, runner_y, 0], scaled(hub, out))
        high = add(start, scaled(reach, along))
        way = add(high, scaled(-1, low))
        strut_length = math.sqrt(sum(c * c for c in way))
        rise = math.degrees(math.asin(way[1] / strut_length))
        bodies.append(box(strut, [strut_length, thick, thick], scaled(0.5, add(low, high)), "steel",
                          rotation={"quaternion": product(quaternion([0, 1, 0], 360 / ribs * i), quaternion([0, 0, 1], rise))}, group=1))
        joints.append({"name": f"{strut}-low", "kind": "hinge", "bodies": [strut, "runner"], "point": low, "axis": across})
        joints.append({"name": f"{strut}-high", "kind": "point", "bodies": [strut, rib], "point": high})
    # The cloth: a pyramid of six faces above the ribs, with vertices over them.
    lift = 0.03
    vertices, index = [], {}

    def corner(sector, ring):
        out = turned([0, 1, 0], 360 / ribs * (sector % ribs), [1, 0, 0])
        away = length * ring / rings
        return add([0, crown + lift, 0], scaled(away * math.cos(slope), out), [0, -away * math.sin(slope), 0])

    def vertex(ring, k):
        """The k-th vertex of a ring, from the first rib on."""
        if ring == 0:
            k = 0
        else:
            k %= ribs * ring
        if (ring, k) not in index:
            sector, part = divmod(k, ring) if ring else (0, 0)
            t = part / ring if ring else 0
            index[ring, k] = len(vertices)
            vertices.append(add(scaled(1 - t, corner(sector, ring)), scaled(t, corner(sector + 1, ring))))
        return index[ring, k]

    faces = []
    for ring in range(1, rings + 1):
        for sector in range(ribs):
            for part in range(ring):
                a, b = vertex(ring, sector * ring + part), vertex(ring, sector * ring + part + 1)
                inner = sector * (ring - 1) + part
                faces.append((a, b, vertex(ring - 1, inner)))
                if part < ring - 1:
                    faces.append((b, vertex(ring - 1, inner + 1), vertex(ring - 1, inner)))
    write_mesh("canopy.obj", "The canopy of the umbrella, a pyramid of six faces.", vertices, faces)
    bodies.append({"name": "canopy", "kind": "shell", "mesh": "meshes/canopy.obj", "material": "nylon"})
    joints.append({"name": "tip", "kind": "attach", "bodies": ["canopy", "world"], "selection": {"nodes": [index[0, 0]]}})
    for i in range(ribs):
        nodes = [index[ring, i * ring] for ring in range(2, rings + 1)]
        joints.append({"name": f"seam-{i + 1}", "kind": "attach", "bodies": ["canopy", f"rib-{i + 1}"], "selection": {"nodes": nodes}})
    write("umbrella", """
An umbrella closes: a runner slides down the shaft and pulls six struts, which pull six ribs in (13 stiff bars on sliding, hinge and point
joints); the canopy, a pyramid of cloth, is sewn to the ribs (source: umbrella).

Right: the ribs swing down evenly, from 30 to about 70 degrees below level, and the canopy between them folds into wrinkles, alike in all six
fields; it stays sewn to the ribs (`error` in joints.csv below 1e-12), never passes through itself or a bar, and the runner's slide follows its motor.""",
          "Umbrella", {"step": 1 / 24, "duration": 2},
          {"steel": {"model": "affine", "density": 2000}, "nylon": COTTON | {"density": 400, "thickness": 5e-4, "young": 5e5}}, bodies, joints,
          {"contact": {"distance": 0.002}, "solver": {"tolerance": 0.005}})


def candy():
    def end(sign):
        return {"selection": {"plane": [[sign * 0.2195, 0, 0], [sign, 0, 0]]},
                "motion": {"linear": [-sign * 0.035, 0, 0], "angular_degrees": [sign * 180, 0, 0], "pivot": [0, 0, 0]}}
    along_x = {"axis": [0, 0, 1], "degrees": 90}
    bodies = [{"name": "candy", "kind": "affine", "shape": {"capsule": {"radius": 0.055, "height": 0.18}, "resolution": 0.025}, "material": "sugar",
               "rotation": along_x},
              {"name": "wrap", "kind": "shell", "shape": {"tube": {"radius": 0.07, "height": 0.44}, "resolution": 0.022}, "material": "foil",
               "rotation": along_x, "fixed": [end(-1), end(1)]}]
    write("candy", """
A stiff candy lies in a tube of foil whose ends turn against each other by 360 degrees per second and approach (source: candy).

Right: the foil draws in on both sides of the candy, lies against it, and winds up into a tight knot on each side; the candy stays inside.
The foil never passes through itself or the candy.""", "Candy in its wrap", {"step": 1 / 48, "duration": 1.25},
          {"sugar": {"model": "affine", "density": 1500}, "foil": {"model": "cloth", "density": 500, "thickness": 5e-4, "young": 2e5, "poisson": 0.3,
                                                                 "bending_young": 2e4}}, bodies, [],
          {"gravity": [0, 0, 0], "contact": {"distance": 0.002, "friction": 0.4}, "solver": {"tolerance": 0.005}})


def hammock():
    """Rings lie on a grid; standing rings through neighbours link them. The end rows are tied to the world."""
    wide, long, spacing, y = 4, 8, 0.3, 1.8
    major, minor, link_major, link_minor = 0.12, 0.014, 0.075, 0.012
    bodies, joints = [GROUND], []

    def place(i, k):
        return [(k - (long - 1) / 2) * spacing, y, (i - (wide - 1) / 2) * spacing]

    for i in range(wide):
        for k in range(long):
            name = f"ring-{i + 1}-{k + 1}"
            bodies.append({"name": name, "kind": "affine", "shape": {"torus": {"major": major, "minor": minor}, "resolution": 0.03}, "material": "steel",
                           "position": place(i, k)})
            if k in (0, long - 1):
                joints.append({"name": f"tie-{i + 1}-{k + 1}", "kind": "point", "bodies": [name, "world"],
                               "point": add(place(i, k), [(major if k else -major), 0, 0])})
    for i in range(wide):
        for k in range(long - 1):
            middle = scaled(0.5, add(place(i, k), place(i, k + 1)))
            bodies.append({"name": f"soft-{i + 1}-{k + 1}", "kind": "deformable", "shape": {"torus": {"major": link_major, "minor": link_minor}, "resolution": 0.025},
                           "material": "rubber", "position": middle, "rotation": {"axis": [1, 0, 0], "degrees": 90}})
    for i in range(wide - 1):
        for k in range(1, long - 1):
            middle = scaled(0.5, add(place(i, k), place(i + 1, k)))
            bodies.append({"name": f"wire-{i + 1}-{k + 1}", "kind": "rod", "shape": {"circle": {"radius": link_major, "segments": 20}}, "material": "wire",
                           "position": middle, "rotation": {"axis": [0, 0, 1], "degrees": 90}})
    q = product(quaternion([0, 0, 1], 90), quaternion([0, 1, 0], 90))
    more_bodies, more_joints = ragdoll_parts("", [0.1, y - 0.75, 0], q)
    bodies += more_bodies
    bodies.append({"name": "blanket", "kind": "shell", "shape": {"grid": {"size": [1.0, 0.8], "cells": [20, 16]}}, "material": "cotton", "position": [0.3, y + 0.6, 0]})
    write("hammock", """
Lying flat: a bed of stiff rings, soft tori and circles of wire, chained into each other and tied at both ends; a ragdoll and a blanket fall on
it (source: "lying flat").

Right: the bed sags until its links hang in each other; the ragdoll lands on it and lies, carried by the links, above the ground; the blanket
comes down on the ragdoll. At the end (0.5 s) bed and ragdoll still swing. No link leaves another, no range of the ragdoll's joints is passed, nothing intersects.""",
          "Lying flat", {"step": 1 / 48, "duration": 0.5},
          {"steel": {"model": "affine", "density": 1500}, "rubber": {"model": "neo-hookean", "density": 1000, "young": 5e6, "poisson": 0.4},
           "wire": {"model": "rod", "density": 3000, "radius": 0.005, "young": 1e8, "bending_young": 1e8, "twisting_shear": 1e8},
           "flesh": {"model": "affine", "density": 300}, "cotton": COTTON}, bodies, joints + more_joints,
          {"contact": {"distance": 0.003, "friction": 0.2}, "solver": {"tolerance": 0.003}})


def ship():
    mast_x = 0.0
    bodies = [GROUND,
              box("hull", [1.2, 0.16, 0.5], [0, 0.2, 0], "oak"),
              box("mast", [0.04, 1.2, 0.04], [mast_x, 0.89, 0], "oak"),
              box("yard", [0.04, 0.04, 0.8], [mast_x + 0.05, 1.4, 0], "oak"),
              box("boom", [0.04, 0.04, 0.8], [mast_x + 0.05, 0.5, 0], "oak"),
              {"name": "bow", "kind": "deformable", "shape": {"sphere": 0.12, "resolution": 0.05}, "material": "rubber", "position": [0.726, 0.2, 0]},
              {"name": "sail", "kind": "shell", "shape": {"grid": {"size": [0.8, 0.7], "cells": [20, 18]}}, "material": "canvas", "position": [mast_x + 0.09, 0.95, 0],
               "rotation": {"axis": [0, 0, 1], "degrees": 90},
               "force": {"times": [0, 0.3, 3], "values": [[0, 0, 0], [40, 0, 0], [40, 0, 0]]}}]
    bodies += [{"name": f"runner-{i + 1}", "kind": "deformable", "shape": {"box": [0.16, 0.1, 0.1], "resolution": 0.05}, "material": "rubber", "position": [x, 0.068, z]}
               for i, (x, z) in enumerate(((-0.45, -0.18), (0.45, -0.18), (-0.45, 0.18), (0.45, 0.18)))]
    joints = [{"name": n, "kind": "weld", "bodies": [n, "hull"]} for n in ("mast", "yard", "boom")]
    joints += [{"name": "head", "kind": "attach", "bodies": ["sail", "yard"], "selection": {"box": [[-1, 1.349, -1], [1, 2, 1]]}},
               {"name": "foot", "kind": "attach", "bodies": ["sail", "boom"], "selection": {"box": [[-1, 0, -1], [1, 0.551, 1]]}},
               {"name": "bow", "kind": "attach", "bodies": ["bow", "hull"], "selection": {"box": [[0, 0, -1], [0.64, 1, 1]]}}]
    joints += [{"name": f"runner-{i + 1}", "kind": "attach", "bodies": [f"runner-{i + 1}", "hull"], "selection": {"box": [[-2, 0.1175, -1], [2, 1, 1]]}} for i in range(4)]
    bodies.append({"name": "rock", "kind": "obstacle", "shape": {"box": [0.1, 0.6, 1.2]}, "position": [2.0, 0.31, 0]})
    write("ship", """
A ship of stiff hull, mast and yards, with a sail of cloth, a soft bow and four soft runners attached, is blown over smooth ice by a force on its sail
against a rock (source: affine body dynamics' ships of stiff and soft parts).

Right: the sail bulges forward between yard and boom, the ship gathers way (its momentum is the wind's force times the time, as there is no
friction), strikes the rock with its soft bow, which is pressed flat, and is thrown back a little. The welds and attachments hold to 1e-12.""",
          "Ship with sail and soft bow", {"step": 0.01, "duration": 2.5},
          {"oak": {"model": "affine", "density": 300}, "rubber": {"model": "neo-hookean", "density": 500, "young": 2e5, "poisson": 0.4}, "canvas": COTTON},
          bodies, joints, {"contact": {"distance": 0.0015}, "solver": {"tolerance": 0.003}, "output": {"every": 5}})


SCENES = {"coat-rack": coat_rack, "hanging-bridge": hanging_bridge, "pulley": pulley, "umbrella": umbrella, "candy": candy, "hammock": hammock, "ship": ship}


def main():
    for name in sys.argv[1:] or SCENES:
        SCENES[name]()


if __name__ == "__main__":
    main()
