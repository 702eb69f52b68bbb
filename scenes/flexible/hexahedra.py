"""Writes the meshes and texts of the scenes of flexible bodies: hexahedra of 8 or 20 nodes on curved grids, and surfaces of threads.

Used by make_scenes.py here and in scenes/high-order.
"""
import json
import math

CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
CELL = CORNERS + [tuple((a + b) // 2 for a, b in zip(CORNERS[i], CORNERS[j])) for i, j in EDGES]


class Hexahedra:
    """Cells of grids that are mapped to places; nodes at the same place are one."""

    def __init__(self):
        self.nodes, self.numbers, self.cells, self.sets = [], {}, [], {}

    def node(self, place):
        key = tuple(round(x * 1e7) for x in place)
        if key not in self.numbers:
            self.nodes.append(place)
            self.numbers[key] = len(self.nodes)
        return self.numbers[key]

    def grid(self, counts, place, kept=lambda i, j, k: True):
        """Cells (i, j, k) below the counts; `place` maps grid coordinates, where a cell's side is 1, to metres."""
        for i in range(counts[0]):
            for j in range(counts[1]):
                for k in range(counts[2]):
                    if kept(i, j, k):
                        self.cells.append([self.node(place(i + a / 2, j + b / 2, k + c / 2)) for a, b, c in CELL])

    def name(self, name, chosen):
        """A set of the nodes whose place is chosen."""
        self.sets[name] = [n + 1 for n, place in enumerate(self.nodes) if chosen(*place)]

    def write(self, path, heading, order=2):
        corners = {n for cell in self.cells for n in cell[:8]}
        lines = ["** " + heading, "*NODE"]
        lines += [f"{n + 1}," + ",".join(f"{x:.7g}" for x in place) for n, place in enumerate(self.nodes) if order == 2 or n + 1 in corners]
        lines.append(f"*ELEMENT, TYPE={'C3D20' if order == 2 else 'C3D8'}, ELSET=all")
        for n, cell in enumerate(self.cells):
            if order == 2:
                lines += [f"{n + 1}," + ",".join(map(str, cell[:15])) + ",", ",".join(map(str, cell[15:]))]
            else:
                lines.append(f"{n + 1}," + ",".join(map(str, cell[:8])))
        for name, members in self.sets.items():
            members = [n for n in members if order == 2 or n in corners]
            lines.append(f"*NSET, NSET={name}")
            lines += [",".join(map(str, members[k:k + 16])) for k in range(0, len(members), 16)]
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n")


def write_surface(path, heading, rings, closed):
    """Rings of as many points each, joined by triangles. Closed: the last ring joins the first (a nut); else both ends have a lid (a bolt)."""
    around = len(rings[0])
    points = [p for ring in rings for p in ring]
    triangles = []
    for r in range(len(rings) if closed else len(rings) - 1):
        a, b = r * around, (r + 1) % len(rings) * around
        for k in range(around):
            n = (k + 1) % around
            # Diagonals along the thread: its flanks are smooth where there are as many levels in a pitch as points around.
            triangles += [(a + k, b + k, a + n), (b + k, b + n, a + n)] if closed else [(a + k, b + k, b + n), (a + k, b + n, a + n)]
    if not closed:
        for ring, turned in ((0, False), (len(rings) - 1, True)):
            points.append([0, rings[ring][0][1], 0])
            for k in range(around):
                side = (ring * around + k, ring * around + (k + 1) % around)
                triangles.append((len(points) - 1, *(side[::-1] if turned else side)))
    text = f"# {heading}\n" + "".join("v {:.7g} {:.7g} {:.7g}\n".format(*p) for p in points)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + "".join("f {} {} {}\n".format(*(i + 1 for i in t)) for t in triangles))


def write_scene(folder, name, comment, title, time, materials, bodies, **extra):
    lines = ["// " + line if line else "//" for line in comment.strip().split("\n")]
    scene = {"bulwark": 1, "title": title, "time": time}
    for key in ("gravity",):
        if key in extra:
            scene[key] = extra.pop(key)
    scene["materials"] = materials
    text = "\n".join(lines) + "\n{\n"
    text += ",\n".join(f'  "{key}": {json.dumps(value)}' for key, value in scene.items())
    text += ',\n  "bodies": [\n' + ",\n".join("    " + json.dumps(body) for body in bodies) + "\n  ]"
    for key, value in extra.items():
        text += f',\n  "{key}": {json.dumps(value)}'
    (folder / f"{name}.json").write_text(text + "\n}\n")


def turned(radius, angle, y):
    return [radius * math.cos(angle), y, -radius * math.sin(angle)]


class Thread:
    """A right-handed thread about y: its profile rises and falls linearly between two radii."""

    def __init__(self, inner, outer, pitch, steepness=1.6):
        """The flanks rise over 1 / (2 steepness) of the pitch. Where flat ones meet, the facets of bolt and nut catch each other."""
        self.inner, self.outer, self.pitch, self.steepness = inner, outer, pitch, steepness

    def radius(self, angle, y):
        # A right-handed thread: a turn by +angle about y moves the crest up by the pitch.
        phase = (y / self.pitch - angle / (2 * math.pi)) % 1.0
        rise = min(1.0, max(0.0, self.steepness * (1 - abs(2 * phase - 1)) - (self.steepness - 1) / 2))
        return self.inner + (self.outer - self.inner) * rise


def hexagon(corner, angle):
    """Radius of a hexagon, its corners at this radius."""
    sector = (angle % (math.pi / 3)) - math.pi / 6
    return corner * math.cos(math.pi / 6) / math.cos(sector)


def bolt_rings(thread, low, top, head_corner, head_height, around, per_pitch, shank=None):
    """Rings of a bolt from its tip at y = low to the head on y = top; the thread runs out into a plain shank from y = shank on."""
    levels = max(2, round((top - low) / thread.pitch * per_pitch))
    angles = [2 * math.pi * k / around for k in range(around)]
    rings = []
    for n in range(levels + 1):
        y = low + (top - low) * n / levels
        fade = 1.0 if shank is None else min(1.0, max(0.0, (shank - y) / thread.pitch))
        rings.append([turned(thread.inner + fade * (thread.radius(a, y) - thread.inner), a, y) for a in angles])
    for y in (top, top + head_height):
        rings.append([turned(hexagon(head_corner, a), a, y) for a in angles])
    return rings


def nut_rings(thread, height, clearance, corner, around, per_pitch):
    levels = max(2, round(height / thread.pitch * per_pitch))
    angles = [2 * math.pi * k / around for k in range(around)]
    rings = []
    for n in range(levels + 1):
        y = height * (n / levels - 0.5)
        rings.append([turned(thread.radius(a, y) + clearance, a, y) for a in angles])
    rings.reverse()  # down the inside, up the outside
    for y in (-height / 2, height / 2):
        rings.append([turned(hexagon(corner, a), a, y) for a in angles])
    return rings


def add_cylinder(mesh, radius, low, top, layers, side_cells, core=0.5):
    """A solid cylinder about y: a square core, its corners at core * radius, and four blocks around it; all with so many cells along a side."""
    def inside(i, j, k):
        half = core * radius * math.sqrt(0.5)
        return [half * (2 * i / side_cells - 1), low + (top - low) * j / layers, half * (2 * k / side_cells - 1)]
    mesh.grid((side_cells, layers, side_cells), inside)
    for side in range(4):
        def around(i, j, k, side=side):
            i /= side_cells  # along the side; k is from the circle to the core
            angle = math.pi / 2 * (side + 0.5 - i)
            edge = core * radius * math.sqrt(0.5)
            middle = math.pi / 2 * side
            across = edge * (1 - 2 * i)
            square = [edge * math.cos(middle) - across * math.sin(middle), edge * math.sin(middle) + across * math.cos(middle)]
            circle = [radius * math.cos(angle), radius * math.sin(angle)]
            x, z = [(1 - k) * c + k * s for c, s in zip(circle, square)]
            return [x, low + (top - low) * j / layers, -z]
        mesh.grid((side_cells, layers, 1), around)


def add_bolt(mesh, radius, low, top, head_radius, head_height, layers):
    """What is inside of a bolt: a cylinder that goes on into the head, and the head around it."""
    add_cylinder(mesh, radius, low, top, layers, 2)
    add_cylinder(mesh, radius, top, top + head_height, 1, 2)
    add_tube(mesh, radius, head_radius, top, top + head_height, (8, 1, 1), math.pi / 4)


def add_tube(mesh, inner, outer, low, top, cells, start=0.0):
    """A tube about y, from radius to radius; cells around, along and across."""
    def place(i, j, k):
        angle = start - 2 * math.pi * i / cells[0]
        radius = outer + (inner - outer) * k / cells[2]
        return turned(radius, angle, low + (top - low) * j / cells[1])
    mesh.grid(cells, place)
