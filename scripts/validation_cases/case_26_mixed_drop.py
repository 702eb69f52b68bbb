TITLE = "Tyres, a crate and a springboard"
MODELS = (("barrier", ()),
          ("patches", ("/contact/model=patch-penalty", '/contact/patch_penalty={"area_stiffness": 1e7, "restitution": 0.5, "static_friction": 0.6}')))
TYRES = range(2, 11)
TEXT = """\
Nine airless tyres fall into a crate with a springboard (ANCF shell, 40 x 40 x 2 cm); `scenes/validation/mixed_drop.json`, here with tyres of hexahedra of order 1 and in steps of 2 ms, 0.45 s. The source has tyres of 34,000
nodes, 360 elements of shell and steps of 0.1 ms, and lets them go somewhat higher.

{table}

{differs}

{charts}
"""


def share(values, first, end):
    part = values[first:end]
    return sum(part) / len(part) if part else 0.0


def run(suite):
    rows, contacts, iterations, residuals = [], [], [], []
    order = [f"/bodies/{body}/order=1" for body in TYRES]
    for model, settings in MODELS:
        run_ = suite.run("mixed_drop", model, *order, *settings)
        steps = run_.of("steps.csv")
        first = next((k for k, c in enumerate(steps["contacts"]) if c > 0), len(steps["contacts"]))
        lows = run_.of("bodies.csv", body="springboard")
        rows.append([model, f"{steps['time'][first]:.3f}", f"{max(steps['contacts']):.0f}", f"{share(steps['newton_iterations'], 0, first):.1f}",
                     f"{share(steps['newton_iterations'], first, None):.1f}", f"{1000 * share(steps['seconds'], 0, first):.0f}",
                     f"{1000 * share(steps['seconds'], first, None):.0f}", f"{max(steps['residual']):.1e}", f"{1000 * (lows['y'][0] - min(lows['y'])):.0f}"])
        contacts.append((model, steps["time"], steps["contacts"]))
        iterations.append((model, steps["time"], steps["newton_iterations"]))
        residuals.append((model, steps["time"], steps["residual"]))
    rows.append(["published", "0.145", "23", "5.3", "7.9 to 8.9", "645", "1969", "2.0e-4", ""])
    head = ["contact", "first contact, s", "most contacts", "iterations a step before", "after", "ms a step before", "after", "largest residual, N", "springboard's middle down by, mm"]
    differs = ("Contacts are pairs of primitives under the barrier and patches otherwise, so that their numbers cannot be compared. The barrier begins to push half a millimetre before bodies touch. Iterations under the barrier grow with "
               "the many pairs that an impact brings into range at once; a patch is one spring.")
    charts = [suite.chart("drop_contacts", "Contacts", contacts, "time (s)", "contacts"),
              suite.chart("drop_iterations", "Newton iterations a step", iterations, "time (s)", "iterations"),
              suite.chart("drop_residual", "Residual of the steps", residuals, "time (s)", "N", log=True)]
    return TEXT.format(table=suite.markdown_table(head, rows), differs=differs, charts="\n\n".join(charts))
