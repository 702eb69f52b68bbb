#!/usr/bin/env python3
# %% [markdown]
# A pile falls onto a floor, and we look at who carries whom.
#
# Run it whole (`python3 examples/falling_pile.py`), or cell by cell in an editor that knows `# %%`.
# `--short` does a part of it.

# %%
import sys

import numpy

import bulwark

SHORT = "--short" in sys.argv

# %% [markdown]
# The scene: 3 x 3 x 3 steel boxes over a rubber mat. The keys are those of a scene file.

# %%
scene = bulwark.Scene(title="Falling pile", time={"step": 0.01}, contact={"friction": 0.4})
scene.add_material("steel", model="rigid", density=7800)
scene.add_material("rubber", model="neo-hookean", density=1000, young=1e6, poisson=0.4)
scene.add_body(name="floor", kind="obstacle", shape={"plane": {"normal": [0, 1, 0]}})
scene.add_body(name="mat", kind="deformable", shape={"box": [0.6, 0.05, 0.6], "resolution": 0.15}, material="rubber",
               position=[0, 0.03, 0])
scene.add_body(name="box", kind="rigid", shape={"box": [0.1, 0.1, 0.1]}, material="steel", position=[-0.12, 0.13, -0.12],
               repeat={"count": [3, 1 if SHORT else 3, 3], "spacing": [0.12, 0.12, 0.12]})
simulation = bulwark.Simulation(scene)

# %% [markdown]
# Let it fall, and print a line now and then. The callback runs after every step.


# %%
@simulation.after_step
def progress(simulation, report):
    if report.step % 10 == 0:
        print(f"t = {report.time:.2f} s: {report.contacts:3} contacts, nearest {report.min_distance * 1e3:.3f} mm, "
              f"kinetic energy {report.energies['kinetic']:.3f} J")


simulation.step(30 if SHORT else 100)

# %% [markdown]
# Contacts are one structured array. Forces act on `body_a`; `body_b` gets the opposite.

# %%
contacts = simulation.contacts()
names = [body.name for body in simulation.bodies]
carried = numpy.zeros(len(names))
numpy.add.at(carried, contacts["body_a"], contacts["normal_force"][:, 1])
numpy.add.at(carried, contacts["body_b"], -contacts["normal_force"][:, 1])
for body in simulation.bodies[:5]:
    print(f"{body.name:12} height {body.position[1]:.3f} m, contacts push it up by {carried[body.index]:8.2f} N, "
          f"weight {body.mass * 9.81:8.2f} N")

# %% [markdown]
# What the floor carries is what everything weighs, once the pile is at rest.

# %%
weight = 9.81 * sum(body.mass for body in simulation.bodies)
print(f"the floor carries {-carried[0]:.1f} N, all bodies weigh {weight:.1f} N")
assert (contacts["distance"] > 0).all()
