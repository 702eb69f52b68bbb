import math

TITLE = "Oblique impact"
RADIUS = 0.15
EXPERIMENTS = (("1", 0.3, 50, 1.0), ("2", 0.35, 500, 0.9))
# of the barrier, whose ball is elastic and takes a minute; patches are quick
BARRIER_ANGLES = (50, 55, 60, 63, 65, 67, 70, 73, 76, 80, 84, 87)
TEXT = """\
A ball of 1 kg flies with 1 m/s against a fixed plane, without gravity and spin, at 50 to 87 degrees to its normal, steps of 0.1 ms. Where the ball slides to the end, friction's impulse is
mu (1 + e) m |v_n|: the part 1 - mu (1 + e) / tan(angle) of the tangential speed remains, and the spin is 5/2 mu (1 + e) |v_n| / R; the critical angle is that of tan(angle) = 7/2 mu (1 + e).

- Under the barrier the ball is elastic (T10, 10 MPa), by BDF-2. Its restitution e cannot be set: it is what viscosity and integrator leave, 50 Pa s in experiment 1 (friction 0.3) and 500 Pa s in
  experiment 2 (0.35). Theory is evaluated with the e of the run.
- Under `patch-penalty` the ball is rigid, and e is set: 1 and 0.9, as in the source.

{table}

{errors}

{charts}
"""


def velocity(degrees, up):
    angle = math.radians(degrees)
    v = [round(math.sin(angle), 12), 0, 0]
    v[up] = round(-math.cos(angle), 12)
    return v


class Sweep:
    """One experiment under one model: speed kept and spin over the angle, with theory's."""

    def __init__(self, label, friction):
        self.label, self.friction = label, friction
        self.angles, self.kept, self.kept_theory, self.spin, self.spin_theory, self.bounces = [], [], [], [], [], []
        self.worst, self.critical = [0.0, 0.0], None

    def add(self, degrees, bounce, kept, spin):
        angle = math.radians(degrees)
        taken = self.friction * (1 + bounce) / math.tan(angle)
        self.angles.append(degrees)
        self.bounces.append(bounce)
        self.kept.append(kept)
        self.kept_theory.append(1 - taken)
        self.spin.append(spin)
        self.spin_theory.append(2.5 * self.friction * (1 + bounce) * math.cos(angle) / RADIUS)
        if math.tan(angle) > 3.5 * self.friction * (1 + bounce):
            self.critical = self.critical or degrees
            self.worst = [max(self.worst[0], abs(self.kept[-1] / self.kept_theory[-1] - 1)),
                          max(self.worst[1], abs(self.spin[-1] / self.spin_theory[-1] - 1))]

    def row(self, k):
        slides = self.critical is not None and self.angles[k] >= self.critical
        return [self.label, self.angles[k], "slides" if slides else "sticks", f"{self.bounces[k]:.3f}", f"{self.kept[k]:.4f}", f"{self.kept_theory[k]:.4f}",
                f"{self.spin[k]:.3f}", f"{self.spin_theory[k]:.3f}"]


def by_barrier(suite, name, friction, viscosity):
    sweep = Sweep(f"{name}, barrier", friction)
    for degrees in BARRIER_ANGLES:
        run_ = suite.run("oblique_impact", f"{name}-{degrees}", f"/bodies/1/velocity={velocity(degrees, 2)}", f"/contact/friction={friction}",
                         f"/materials/rubber/damping/shear={viscosity}", f"/materials/rubber/damping/bulk={viscosity}")
        ball = run_.of("bodies.csv", body="ball")
        sweep.add(degrees, -ball["vz"][-1] / ball["vz"][0], ball["vx"][-1] / ball["vx"][0], ball["wy"][-1])
    return sweep


def by_patches(suite, name, friction, restitution):
    sweep = Sweep(f"{name}, patches", friction)
    for degrees in range(50, 88):
        run_ = suite.run("oblique_impact_patch", f"{name}-patch-{degrees}", f"/bodies/1/velocity={velocity(degrees, 1)}", f"/contact/friction={friction}",
                         f"/contact/patch_penalty/restitution={restitution}", "/time/steps=600")
        ball = run_.of("bodies.csv", body="ball")
        sweep.add(degrees, -ball["vy"][-1] / ball["vy"][0], ball["vx"][-1] / ball["vx"][0], -ball["wz"][-1])
    return sweep


def run(suite):
    rows, errors, tangential, spins = [], [], [], []
    for name, friction, viscosity, nominal in EXPERIMENTS:
        for sweep in (by_barrier(suite, name, friction, viscosity), by_patches(suite, name, friction, nominal)):
            rows += [sweep.row(k) for k, degrees in enumerate(sweep.angles) if degrees in (50, 60, 67, 70, 80, 87)]
            errors.append(f"{sweep.label}: from {sweep.critical} degrees on the speed is within {100 * sweep.worst[0]:.2f} % and the spin within {100 * sweep.worst[1]:.2f} % of "
                          f"theory; e is {min(sweep.bounces):.3f} to {max(sweep.bounces):.3f}.")
            tangential += [(sweep.label, sweep.angles, sweep.kept), (f"theory {sweep.label}", sweep.angles, sweep.kept_theory)]
            spins += [(sweep.label, sweep.angles, sweep.spin), (f"theory {sweep.label}", sweep.angles, sweep.spin_theory)]
    head = ["experiment", "angle", "contact", "e", "speed kept", "theory", "spin, rad/s", "theory"]
    charts = [suite.chart("impact_speed", "Part of the tangential speed that remains", tangential, "angle (degrees)", "part"),
              suite.chart("impact_spin", "Spin after the impact", spins, "angle (degrees)", "rad/s")]
    return TEXT.format(table=suite.markdown_table(head, rows), errors="\n".join(f"- Experiment {error}" for error in errors) + "\n\nThe source shows its agreement by plots alone. "
                       "Below the critical angle the theory does not apply: the contact sticks before it ends, and what it does then depends on the tangential stiffness, which differs between the models.",
                       charts="\n\n".join(charts))
