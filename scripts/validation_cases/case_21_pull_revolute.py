from pendulums import pull

TITLE = "Double pendulum under a vertical pull, revolute joints"
TEXT = """\
Both beams hang straight (10 MPa, 1e4 Pa s); the lowest 5 cm are pulled down, in full after 0.1 s; what the joints carry after 0.5 s, against statics (mass times 9.81 m/s2, plus the pull):

{table}

The published reactions of revolute joints are 1.8 to 2.7 % too small, without an explanation. Right angles carry no net force, so that a revolute joint must carry what a spherical one does; here it does.

{chart}
"""


def run(suite):
    table, curves = pull(suite, "pull_revolute")
    chart = suite.chart("pull_revolute", "Reaction of the upper joint", curves, "time (s)", "N")
    return TEXT.format(table=table, chart=chart)
