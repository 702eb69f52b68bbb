import math

TITLE = "Stack of spheres"
RADIUS, APART = 0.05, 0.104
BALLS = ("left", "middle", "right")
# Under patches the balls are rigid, 150 mm, touch each other and weigh 1 kg.
PATCH_HALF = 0.5 * math.asin(1 / math.sqrt(3))
PATCH_TOP, PATCH_WEIGHT = 0.15 + math.sqrt(0.3 ** 2 - 0.3 ** 2 / 3), 9.81
TEXT = """\
The source announces this test and gives neither parameters nor results. Here three balls (50 mm, T10, 1 MPa) lie in a triangle, 4 mm apart, and carry a fourth. With three forces on a lower ball, weight aside,
the line from its upper contact must pass through its lowest point: the ground carries 4/3 of a ball's weight and pushes inwards by tan(a/2) / 3 of it, with sin(a) the distance of the centres from the axis over
2 R; that needs a friction of tan(a/2) between the balls.

{table}

With the friction of 0.25, which is not enough, the top ball has come down to {fallen:.0f} mm above the ground; standing it is at {standing:.0f} mm. Forces differ from statics by the facets of the balls and the flattening of the contacts, which moves the point where
they meet.

Under `patch-penalty` rigid balls of 150 mm that touch each other stand with friction 0.6 (`scenes/validation/sphere_stack_patch.json`): their forces are those of statics too. The top ball is {low:.1f} mm lower than that of spheres, by facets of 30 mm and the contacts' depth.

{chart}
"""


def run(suite):
    half = 0.5 * math.asin(APART / math.sqrt(3) / (2 * RADIUS))
    rows, heights, ends = [], [], {}
    for friction in (0.5, 0.25):
        run_ = suite.run("sphere_stack", f"friction-{friction}", f"/contact/friction={friction}")
        top = run_.of("bodies.csv", body="top")
        heights.append((f"friction {friction}", top["time"], top["z"]))
        ends[friction] = 1000 * top["z"][-1]
        if friction != 0.5:
            continue
        pairs = [(ball, run_.of("contact_pairs.csv", body_a="floor", body_b=ball)) for ball in BALLS]
        weight = sum(-p["fz"][-1] for _, p in pairs) / 4  # at rest
        for ball, pair in pairs:
            upper = run_.of("contact_pairs.csv", body_a=ball, body_b="top")
            inward = math.hypot(pair["fx"][-1], pair["fy"][-1]) / weight
            reach = [upper[c][-1] - pair[c][-1] for c in "xyz"]
            needed = math.atan2(math.hypot(*reach[:2]), reach[2])
            rows.append([ball, f"{-pair['fz'][-1] / weight:.3f}", "1.333", f"{inward:.3f}", f"{math.tan(half) / 3:.3f}", f"{math.tan(needed):.3f}", f"{math.tan(half):.3f}"])
    patches = suite.run("sphere_stack_patch", "patches", "/time/steps=600")
    ends["patch"] = 1000 * patches.of("bodies.csv", body="ball 3")["y"][-1]
    for k in range(3):
        pair = patches.of("contact_pairs.csv", body_a="floor", body_b=f"ball {k}")
        rows.append([f"{k}, patches", f"{-pair['fy'][-1] / PATCH_WEIGHT:.3f}", "1.333", f"{math.hypot(pair['fx'][-1], pair['fz'][-1]) / PATCH_WEIGHT:.3f}",
                     f"{math.tan(PATCH_HALF) / 3:.3f}", "", f"{math.tan(PATCH_HALF):.3f}"])
    head = ["ball", "ground, weights", "statics", "inwards, weights", "statics", "friction needed", "statics"]
    return TEXT.format(table=suite.markdown_table(head, rows), fallen=ends[0.25], standing=ends[0.5], low=1000 * PATCH_TOP - ends["patch"],
                       chart=suite.chart("stack_height", "Height of the top ball", heights, "time (s)", "m"))
