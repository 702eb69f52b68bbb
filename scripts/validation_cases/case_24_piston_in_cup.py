import math

TITLE = "Piston in a cup, two cylindrical joints"
TEXT = """\
A piston (50 MPa, 5e3 Pa s) slides in a cup (10 MPa, 2e4 Pa s) that is held at the rim of its bottom, on two cylindrical joints at 25 and 75 % of their overlap; 30 N push its handle to the side, in full after 5 ms, and gravity pulls it out; 400 steps of 0.5 ms.
The source gives no geometry and no meshes; here: bore 30 mm, depth 200 mm, wall 8 mm; shaft 20 mm, length 400 mm, with a disc of 50 mm radius as the handle; hexahedra of order 2, axis along y, force along x. Each joint holds the
points and axes that fit the material within 35 mm best (`grip`), by two DP1 and two DP2. Barrier contact is on, and nothing touches.

{table}

The published force and moment depend on the shape and mass of the handle, which are not given: only their course can be compared. The handle swings on the shaft: the two joints carry the lever's forces, many times the 30 N each and opposite to each other. Its way out is
longer than a fall (0.196 m), as the push tilts the axis and has a part along it. The errors of the joints' right angles are
how far the piston's points are from the cup's axis: here the joints' tolerance. The published equations hold to 2.7e-10 and its points drift by 1.2 micrometres; how it measures them is not said.

{charts}
"""


def run(suite):
    run_ = suite.run("piston_in_cup", "piston")
    joints = {name: run_.joint(name) for name in ("lower", "upper")}
    lower, upper = joints["lower"], joints["upper"]
    force = [a + b for a, b in zip(lower["fx"], upper["fx"])]
    moment = [a + b for a, b in zip(lower["tz"], upper["tz"])]
    error = [max(a, b) for a, b in zip(lower["error"], upper["error"])]
    slide = [y - lower["position"][0] for y in lower["position"]]
    crossings = [t for t, a, b in zip(lower["time"][1:], force, force[1:]) if (a > 0) != (b > 0)]
    highest = max(range(len(force)), key=lambda k: force[k])
    lowest = min(range(len(force)), key=lambda k: force[k])
    rows = [["largest error of a joint, m", f"{max(error):.1e}", "1.3e-6 (drift), 2.7e-10 (rows)"],
            ["force of both joints to the side, least, N", f"{force[lowest]:.1f} at {lower['time'][lowest]:.3f} s", "-11.6 at 0.139 s"],
            ["the same, greatest, N", f"{force[highest]:.1f} at {lower['time'][highest]:.3f} s", "69 at 0.075 s"],
            ["at the end, N", f"{force[-1]:.1f}", "67.2"],
            ["moment of both joints at the end, N m", f"{moment[-1]:.2f}", "-19.6"],
            ["slide, m", f"{slide[-1]:.3f}", "0.175"],
            ["seconds", f"{run_.seconds():.0f}", "-"]]
    charts = [suite.chart("piston_error", "Largest error of the joints", [("", lower["time"], error)], "time (s)", "m", log=True),
              suite.chart("piston_force", "Force of the joints on the piston, to the side", [("lower", lower["time"], lower["fx"]), ("upper", lower["time"], upper["fx"]), ("both", lower["time"], force)],
                          "time (s)", "N"),
              suite.chart("piston_slide", "Slide along the axis", [("", lower["time"], slide), ("free fall", lower["time"], [0.5 * 9.81 * t * t for t in lower["time"]])], "time (s)", "m")]
    return TEXT.format(table=suite.markdown_table(["quantity", "here", "published"], rows), charts="\n\n".join(charts))
