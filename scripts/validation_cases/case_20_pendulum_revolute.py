from pendulums import motion, rigid_double_pendulum

TITLE = "Double pendulum, revolute joints"
TEXT = """\
Two beams of 0.5 x 0.04 x 0.04 m (T10, SVK, 2 MPa, 0.96 kg each) on hinges about y, turned out by 35 and -25 degrees; 2.5 s in steps of 0.5 ms; four viscosities
(shear and bulk alike). The end is that of the rigid motion that fits the lower beam best, beside two rigid bars of the same mass (Runge-Kutta).

{table}

Errors are the largest of all equations and steps, in metres; those of right angles have no unit. The published residuals are 1e-10 to 1e-8. The path leaves that of rigid bars by the beams' bending, and the plane by a millimetre: the tetrahedra's
diagonals are not symmetric.

{charts}
"""


def run(suite):
    table, charts = motion(suite, "double_pendulum_revolute", "revolute", (0, 100, 1000, 10000), rigid_double_pendulum(35, -25, 2.5e-4, 10000, 20))
    return TEXT.format(table=table, charts="\n\n".join(charts))
