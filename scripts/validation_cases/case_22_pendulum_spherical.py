from pendulums import motion, rigid_double_pendulum

TITLE = "Double pendulum, spherical joints"
TEXT = """\
The same on spherical joints, leaning out of the plane by 18 and -27 degrees as well.

{table}

The published residuals are 1e-11 to 1e-8.

{charts}
"""


def run(suite):
    table, charts = motion(suite, "double_pendulum_spherical", "spherical", (0, 100, 1000, 10000))
    return TEXT.format(table=table, charts="\n\n".join(charts))
