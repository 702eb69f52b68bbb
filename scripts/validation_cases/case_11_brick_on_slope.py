import math

TITLE = "Brick on a slope"
CASES = (("1", 0.18, 0.25), ("2", math.atan(0.2), 0.25), ("3", math.atan(0.25), 0.25), ("4", 0.25, 0.2))
GRAVITY = 9.81
TEXT = """\
A rubber brick (200 x 100 x 50 mm, T10, 10 MPa) is set down on a slope, steps of 0.5 ms, 1 s. The source has two coefficients of friction, 0.25 while the brick sticks and 0.2 while it slides; the barrier
contact has one: 0.25 in the first three cases, 0.2 in the last. A contact that sticks creeps at up to `static_speed`, here 0.1 mm/s per metre of size times the tolerance of that model: 0.1 mm/s.

{table}

Cases 1 to 3 should stick (3 is the limit, where the whole friction is needed, which a contact only gives at the full `static_speed` and above), case 4 slides with g (sin a - mu cos a) = 0.526 m/s2, in the source's axes
a_x = -0.510 and a_z = -0.130. In the source the brick of case 3 moves back and forth at first, because its contact starts from a force of zero.

{charts}
"""


def gravity(angle):
    return [-GRAVITY * math.sin(angle), 0, -GRAVITY * math.cos(angle)]


def slope(times, values):
    """Of the straight line that fits best."""
    t, v = sum(times) / len(times), sum(values) / len(values)
    return sum((a - t) * (b - v) for a, b in zip(times, values)) / sum((a - t) ** 2 for a in times)


def run(suite):
    rows, ways, speeds = [], [], []
    for name, angle, friction in CASES:
        run_ = suite.run("brick_on_slope", f"slope-{name}", f"/gravity={gravity(angle)}", f"/contact/friction={friction}")
        brick = run_.of("bodies.csv", body="brick")
        late = [k for k, t in enumerate(brick["time"]) if t >= 0.2]
        times, along = [brick["time"][k] for k in late], [-brick["vx"][k] for k in late]
        acceleration = slope(times, along)
        expected = max(0.0, GRAVITY * (math.sin(angle) - friction * math.cos(angle)))
        if name != "4":
            expected = 0.0
        rows.append([name, f"{angle:.4f}", friction, "slides" if expected else "sticks", f"{acceleration:.4f}", f"{expected:.4f}",
                     f"{-acceleration * math.cos(angle):.3f}, {-acceleration * math.sin(angle):.3f}", f"{1000 * along[-1]:.3f}",
                     f"{1000 * (brick['x'][0] - brick['x'][-1]):.3f}"])
        label = f"slope {name}"
        ways.append((label, brick["time"], [brick["x"][0] - x for x in brick["x"]]))
        speeds.append((label, brick["time"], [-v for v in brick["vx"]]))
    times = [0.01 * k for k in range(101)]
    ways.append(("0.526 m/s2", times, [0.263 * t * t for t in times]))
    speeds.append(("0.526 m/s2", times, [0.526 * t for t in times]))
    head = ["slope", "angle, rad", "friction", "expected", "acceleration, m/s2", "expected", "a_x, a_z", "speed at the end, mm/s", "way, mm"]
    charts = [suite.chart("brick_way", "Way down the slope", ways, "time (s)", "m"), suite.chart("brick_speed", "Speed down the slope", speeds, "time (s)", "m/s")]
    return TEXT.format(table=suite.markdown_table(head, rows), charts="\n\n".join(charts))
