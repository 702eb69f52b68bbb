#!/usr/bin/env python3
"""Writes the scenes of stiff bodies whose many placements follow from a formula: card houses, arches, the gear train.

Run it in any folder after a change: it overwrites scenes/affine/*.json and scenes/rigid/*.json of these names.
"""
import math
import pathlib

SCENES = pathlib.Path(__file__).parent.parent


def number(value):
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def vector(*values):
    return "[" + ", ".join(number(v) for v in values) + "]"


def write(file, header, title, time, materials, bodies, rest):
    """A scene with one body per line; `bodies` are the insides of their braces."""
    lines = ["// " + line if line else "//" for line in header.strip().split("\n")]
    lines += ["{", '  "bulwark": 1,', f'  "title": "{title}",', f'  "time": {{ {time} }},', '  "materials": {']
    lines += [",\n".join(f"    {m}" for m in materials), "  },", '  "bodies": [']
    lines += [",\n".join(f"    {{ {body} }}" for body in bodies), "  ],"]
    lines += [",\n".join(f"  {line}" for line in rest), "}"]
    (SCENES / file).write_text("\n".join(lines) + "\n")


def card_house(file, kind, storeys, header, title, blocks=()):
    """Cards of 2.5 m x 1.25 m without thickness in contact; tents lean by 25 degrees and stand 2.2 m apart. Flat cards
    lie on the tents like shingles: the left end of each on the right end of the one before."""
    gap, lean, spacing = 0.9e-3, math.radians(25), 2.2
    half_width, height = 1.25 * math.sin(lean), 2.5 * math.cos(lean)
    shape = '"mesh": "' + ("" if kind == "affine" else "../affine/") + 'meshes/card.obj", "material": "card"'
    bodies = ['"name": "ground", "kind": "obstacle", "shape": { "plane": {} }']

    def card(name, x, y, degrees):
        rotation = f'"rotation": {{ "axis": [0, 0, 1], "degrees": {number(degrees)} }}'
        bodies.append(f'"name": "{name}", "kind": "{kind}", {shape}, "position": {vector(x, y, 0)}, {rotation}')

    foot = gap
    for storey in range(storeys):
        tents = storeys - storey
        first = -(tents - 1) * spacing / 2
        for tent in range(tents):
            x, y = first + tent * spacing, foot + height / 2
            card(f"left-{storey + 1}-{tent + 1}", x - half_width - gap / 2, y, 65)
            card(f"right-{storey + 1}-{tent + 1}", x + half_width + gap / 2, y, -65)
        for flat in range(tents - 1):
            x = first + (flat + 0.5) * spacing
            card(f"flat-{storey + 1}-{flat + 1}", x, foot + height + 1.5 * gap, -math.degrees(gap / spacing))
        foot += height + 3 * gap
    for name, x, y, z in blocks:
        bodies.append(f'"name": "{name}", "kind": "{kind}", "shape": {{ "box": [1, 1, 1] }}, "material": "steel", '
                      f'"position": {vector(x, y, z)}')
    materials = [f'"card": {{ "model": "{kind}", "density": 700, "thickness": 0.01 }}']
    if blocks:
        materials.append(f'"steel": {{ "model": "{kind}", "density": 7680 }}')
    write(file, header, title, '"step": 0.01, "duration": 5', materials, bodies, [
        '"contact": { "distance": 1e-3, "friction": 0.9, "static_speed": 1e-5 }', '"solver": { "tolerance": 1e-3 }'])


def arch(file, kind, stones, mesh, header, title):
    bodies = ['"name": "ground", "kind": "obstacle", "shape": { "plane": { "point": [0, -0.00045, 0] } }']
    for i in range(stones):
        degrees = 90 - 180 / stones * (i + 0.5)
        bodies.append(f'"name": "stone-{i + 1}", "kind": "{kind}", "mesh": "{mesh}", "material": "stone", '
                      f'"rotation": {{ "axis": [0, 0, 1], "degrees": {number(degrees)} }}')
    write(file, header, title, '"step": 0.01, "duration": 5',
          [f'"stone": {{ "model": "{kind}", "density": 2300 }}'], bodies, [
              '"contact": { "distance": 1e-3, "friction": 0.5, "static_speed": 1e-5 }', '"solver": { "tolerance": 1e-3 }'])


def gear_train(file, header, title):
    """Spur gears in a meander of four rows that bridges join. Angles turn from x towards -z, right-handed about y."""
    row, bridge = [20, 12, 24, 14, 18, 20], [16]
    teeth = (row + bridge) * 3 + row + bridge
    module, play = 0.02, 0.002
    directions = []  # to the next gear: a zigzag along the row, then down over the bridge
    for sign in (1, -1, 1, -1):
        along = 0 if sign > 0 else 180
        directions += [along + 20 * sign * (1 if i % 2 == 0 else -1) for i in range(5)] + [-90, -90]
    directions[-2] = 180  # the last gear ends the last row
    x = y = phase = 0.0
    bodies = []
    for i, count in enumerate(teeth):
        torque = ', "torque": [0, 40, 0]' if i == 0 else ""
        bodies.append(f'"name": "gear-{i + 1}", "kind": "affine", "material": "steel", "position": {vector(x, 0, -y)}, '
                      f'"rotation": {{ "axis": [0, 1, 0], "degrees": {number(math.degrees(phase))} }}, '
                      f'"shape": {{ "gear": {{ "teeth": {count}, "module": {module}, "thickness": 0.06 }} }}, '
                      f'"fixed": {{ "translation": [true, true, true], "rotation": [true, false, true] }}{torque}')
        if i + 1 == len(teeth):
            break
        angle, following = math.radians(directions[i]), teeth[i + 1]
        distance = module * (count + following) / 2 + play
        x, y = x + distance * math.cos(angle), y + distance * math.sin(angle)
        # How far past a tooth's middle gear i is in this direction, in teeth; its neighbour must be as far before a gap's.
        past = (angle - phase) * count / (2 * math.pi)
        phase = (angle + math.pi - (0.5 - past) * 2 * math.pi / following) % (2 * math.pi)
    write(file, header, title, '"step": 0.01, "duration": 5', ['"steel": { "model": "affine", "density": 7680 }'],
          bodies, ['"gravity": [0, 0, 0]', '"contact": { "distance": 5e-4 }', '"solver": { "tolerance": 1e-4 }'])


def anchor(file, header, title):
    """A chain wound around an axle along z as a helix of 14 links a turn; links stand and lie by turns."""
    radius, links, per_turn, advance = 0.5, 21, 14, 0.027
    ring = '"shape": { "ring": { "major": 0.1, "minor": 0.03, "length": 0.12 }, "resolution": 0.06 }'
    bodies = ['"name": "axle", "kind": "obstacle", "shape": { "cylinder": { "radius": 0.35, "height": 1.2 }, "resolution": 0.15 }, '
              '"position": [0, 0, -0.3], "rotation": { "axis": [1, 0, 0], "degrees": 90 }']
    for i in range(links):
        degrees = 90 - (links - 1 - i) * 360 / per_turn  # from the top towards +x, where the chain leaves the axle
        angle, standing = math.radians(degrees), (links - 1 - i) % 2 == 0
        place = vector(radius * math.sin(angle), radius * math.cos(angle), (i - links + 1) * advance)
        kind = '"kind": "obstacle"' if i == 0 else '"kind": "affine", "material": "steel"'
        bodies.append(f'"name": "link-{i + 1}", {kind}, {ring}, "position": {place}, '
                      f'"rotation": {{ "euler_degrees": {vector(90 if standing else 0, 0, -degrees)} }}')
    bodies.append(f'"name": "anchor", "kind": "affine", "material": "steel", "mesh": "meshes/anchor.obj", '
                  f'"position": {vector(radius, -0.055, 0)}')
    write(file, header, title, '"step": 0.01, "duration": 2', ['"steel": { "model": "affine", "density": 7680 }'], bodies,
          ['"contact": { "distance": 1e-3 }'])


STATICS = """Statics: two cards of weight W that lean at 25 degrees from the upright and carry P need a friction of
tan 25 (W + P) / (2 W + P): from 0.23 at the top to 0.466 under a load without bound."""

card_house("affine/card_house_3.json", "affine", 3, f"""
Three storeys of 15 cards without thickness, and two steel cubes that fall on them (source: 18 bodies, two triangles a
card, h 0.01 s, d-hat 1e-3 m, friction 0.9, static speed 1e-5 m/s, one friction iteration).
{STATICS}

Right result: the house stands, and nothing moves, until the first cube strikes the top at 0.98 s; it breaks through all
storeys, cards are flung off, and the cubes come to rest on cards. No card ever passes through another.""",
           "Card house of three storeys, hit by two cubes", [("cube-1", 0.2, 12, -0.2), ("cube-2", 0.5, 15, -0.3)])
card_house("affine/card_house_10.json", "affine", 10, f"""
Ten storeys of 155 cards, and two steel cubes that fall on them: 158 bodies with the ground (source: h 0.01 s, friction 0.9).
{STATICS}

Right result: the house stands, and nothing moves, until the first cube strikes the top at 1.0 s; then the
storeys under the cubes collapse. No card ever passes through another.""",
           "Card house of ten storeys, hit by two cubes", [("cube-1", 0.2, 28, -0.2), ("cube-2", 0.5, 31, -0.3)])
card_house("rigid/card_house_2.json", "rigid", 2, f"""
Two storeys of seven cards without thickness (source: 2-level card house, h 0.01 s), as exact rigid bodies.
{STATICS}

Right result: the house stands: after the cards have settled, by a millimetre, nothing moves.""",
           "Card house of two storeys")

ARCH = """Theory (Heyman; Coulomb): a semicircular arch stands if it is thicker than 0.107 of its radius and the friction
is above 0.395, and can't stand at any thickness below 0.31. This one has 0.2 of its radius."""
arch("affine/arch_25.json", "affine", 25, "../ipc/meshes/arch_stone.msh", f"""
A semicircular arch of 25 stiff stones without mortar, 22 m high, radius 20 m, joints of 0.9 mm (source: 25 stones, h 0.01 s,
friction 0.5, static speed 1e-3 m/s, at which an arch creeps by as much; ours has 1e-5 m/s).
{ARCH}

Right result: the arch stands on friction alone: after the joints have closed, by millimetres, nothing moves. With
friction 0.2 it falls.""", "Masonry arch of 25 stones")
arch("affine/arch_101.json", "affine", 101, "meshes/arch_stone_101.obj", f"""
A semicircular arch of 101 stiff stones without mortar, 22 m high, radius 20 m, joints of 0.9 mm (source: 101 stones, h 0.01 s,
d-hat 1e-3 m, friction 0.5, static speed 1e-3 m/s, at which an arch creeps by as much per joint; ours has 1e-5 m/s).
{ARCH}

Right result: the arch stands on friction alone: after the joints have closed nothing moves.""",
     "Masonry arch of 101 stones")
arch("rigid/arch_25.json", "rigid", 25, "../ipc/meshes/arch_stone.msh", f"""
A semicircular arch of 25 rigid stones without mortar, 22 m high, radius 20 m, joints of 0.9 mm (source: 25 stones, h 0.01 s,
friction 0.5, static speed 1e-3 m/s, at which an arch creeps by as much; ours has 1e-5 m/s).
{ARCH}

Right result: as the affine one: the arch stands, and once the joints have closed nothing moves.""",
     "Masonry arch of 25 stones, rigid")

gear_train("affine/gear_train.json", """
A train of 28 gears, coupled by their teeth alone; a torque of 40 N m on the first drives all (source: 28 gears, h 0.01 s;
other rigid-body methods fail on it). Axes are held by fixed axes instead of hinges.

Right result: neighbours turn against each other, gear i at the speed of the first times z_1 / z_i (z: number of teeth), within
the play between the teeth; nothing jams. The train gains speed as one inertia: the first gear's angular acceleration is
T / sum of I_i (z_1 / z_i)^2.""", "Gear train of 28 gears")

anchor("affine/anchor.json", """
An anchor on a chain of 21 links that is wound around an axle; the chain's first link is held (source: 23 bodies, h 0.01 s,
d-hat 1e-3 m, no friction; 21 iterations a step with rigid bodies).

Right result: the anchor falls, the chain tightens around the axle, stops it with a jerk and holds it: no link leaves its neighbours.""",
       "Anchor on a chain around an axle")
