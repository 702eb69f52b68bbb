"""What the four cases of double pendulums share: two rigid rods to compare the motion with, columns, sums."""
import math

MASS, LENGTH, SIDE, GRAVITY = 0.96, 0.5, 0.04, 9.81


def beam_tip(rows, end=0.5 * LENGTH):
    """Where the rigid motion that fits the lower beam best has its lower end."""
    tips = []
    for k in range(len(rows["x"])):
        w, x, y, z = (rows[q][k] for q in ("qw", "qx", "qy", "qz"))
        # The body's z axis, turned.
        axis = (2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y))
        tips.append([rows[c][k] - end * a for c, a in zip("xyz", axis)])
    return tips


def rigid_double_pendulum(first, second, step, steps, every):
    """Angles from the vertical, and the lower end in the plane, of two uniform bars on hinges: RK4."""
    m, l, g = MASS, LENGTH, GRAVITY
    inertia = m * (l * l + SIDE * SIDE) / 12

    def rates(state):
        a, b, va, vb = state
        # M q'' = f of the Lagrangian of two bars.
        m11, m22, m12 = inertia + 1.25 * m * l * l, inertia + 0.25 * m * l * l, 0.5 * m * l * l * math.cos(a - b)
        s = 0.5 * m * l * l * math.sin(a - b)
        f1, f2 = -s * vb * vb - 1.5 * m * g * l * math.sin(a), s * va * va - 0.5 * m * g * l * math.sin(b)
        det = m11 * m22 - m12 * m12
        return [va, vb, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det]

    state, result = [math.radians(first), math.radians(second), 0.0, 0.0], []
    for n in range(steps + 1):
        if n % every == 0:
            a, b = state[:2]
            result.append((n * step, l * math.sin(a) + l * math.sin(b), 0.7 - l * math.cos(a) - l * math.cos(b)))
        k1 = rates(state)
        k2 = rates([s + 0.5 * step * k for s, k in zip(state, k1)])
        k3 = rates([s + 0.5 * step * k for s, k in zip(state, k2)])
        k4 = rates([s + step * k for s, k in zip(state, k3)])
        state = [s + step / 6 * (a + 2 * b + 2 * c + d) for s, a, b, c, d in zip(state, k1, k2, k3, k4)]
    return result


def norm(rows, *columns):
    return [math.sqrt(sum(rows[c][k] ** 2 for c in columns)) for k in range(len(rows[columns[0]]))]


def motion(suite, scene, joint, viscosities, rigid=None):
    """Runs a swinging pendulum with several viscosities; its charts and table as Markdown."""
    paths, energies, residuals, reactions, rows = [], [], [], [], []
    for viscosity in viscosities:
        label = f"viscosity-{viscosity:g}"
        run = suite.run(scene, label, f"/materials/rubber/damping/shear={viscosity:g}", f"/materials/rubber/damping/bulk={viscosity:g}")
        tip = beam_tip(run.of("bodies.csv", body="lower beam"))
        steps, upper, lower = run.of("steps.csv"), run.joint("upper"), run.joint("lower")
        name = f"{viscosity:g} Pa s"
        paths.append((name, [p[0] for p in tip], [p[2] for p in tip]))
        total = [e - steps["total"][-1] for e in steps["total"]]
        energies.append((name, steps["time"], steps["total"]))
        worst = [max(a, b) for a, b in zip(upper["error"], lower["error"])]
        residuals.append((name, upper["time"], worst))
        if viscosity == viscosities[0]:
            reactions = [(f"{n} joint", r["time"], norm(r, "fx", "fy", "fz")) for n, r in (("upper", upper), ("lower", lower))]
        rises = max(b - a for a, b in zip(steps["total"], steps["total"][1:]))
        rows.append([name, f"{max(upper['error']):.1e}", f"{max(lower['error']):.1e}", f"{total[0]:.3f}", f"{max(rises, 0):.1e}",
                     f"{max(abs(p[1]) for p in tip):.2g}", f"{sum(steps['newton_iterations']) / len(steps['time']):.1f}", f"{sum(steps['seconds']):.0f}"])
    if rigid:
        paths.append(("rigid bars", [p[1] for p in rigid], [p[2] for p in rigid]))
    kind = f"pendulum_{joint}"
    charts = [suite.chart(f"{kind}_path", f"Lower end of the {joint} double pendulum", paths, "x (m)", "z (m)", path=True),
              suite.chart(f"{kind}_energy", "Total energy", energies, "time (s)", "J"),
              suite.chart(f"{kind}_residual", "Largest error of the joints", residuals, "time (s)", "m, or no unit", log=True),
              suite.chart(f"{kind}_reaction", f"Reactions at {viscosities[0]:g} Pa s", reactions, "time (s)", "N")]
    table = suite.markdown_table(["viscosity", "error, upper", "error, lower", "energy lost, J", "largest rise in a step, J", "farthest from y = 0, m",
                                  "iterations a step", "seconds"], rows)
    return table, charts


def pull(suite, scene):
    """Runs a pulled pendulum with the four loads; table and chart as Markdown."""
    rows, curves = [], []
    for load in (20, 40, 60, 80):
        run = suite.run(scene, f"pull-{load}", f"/bodies/1/force/values=[[0,0,0],[0,0,{-load}]]")
        upper, lower = run.joint("upper"), run.joint("lower")
        row = [f"{load}"]
        for joint, bodies in ((upper, 2), (lower, 1)):
            expected = bodies * MASS * GRAVITY + load
            carried = joint["fz"][-1]
            row += [f"{carried:.4f}", f"{expected:.4f}", f"{100 * abs(carried - expected) / expected:.4f}"]
        row += [f"{max(math.hypot(j['fx'][-1], j['fy'][-1]) for j in (upper, lower)):.0e}", f"{max(*upper['error'], *lower['error']):.1e}"]
        rows.append(row)
        curves += [(f"{load} N, upper", upper["time"], upper["fz"])]
    head = ["pull, N", "upper, N", "statics", "off, %", "lower, N", "statics", "off, %", "across, N", "largest error"]
    return suite.markdown_table(head, rows), curves
