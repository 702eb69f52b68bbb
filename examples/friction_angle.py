#!/usr/bin/env python3
# %% [markdown]
# At which angle does a box begin to slide? Coulomb says: where tan(angle) = friction.
#
# A sweep over friction coefficients; for each, the angle is found by halving. `--short` does one coefficient.

# %%
import math
import sys

import bulwark

SHORT = "--short" in sys.argv

# %% [markdown]
# Instead of tilting the floor we tilt gravity. A dict serves as a scene too.


# %%
def slides(angle, friction):
    """Whether a box on a slope of this angle (degrees) is moving after half a second."""
    tilt = math.radians(angle)
    simulation = bulwark.Simulation({
        "time": {"step": 0.01},
        "gravity": [9.81 * math.sin(tilt), -9.81 * math.cos(tilt), 0],
        "materials": {"wood": {"model": "affine", "density": 700}},
        "contact": {"friction": friction, "friction_iterations": 0},
        "bodies": [
            {"name": "floor", "kind": "obstacle", "shape": {"plane": {"normal": [0, 1, 0]}}},
            {"name": "box", "kind": "affine", "shape": {"box": [0.3, 0.1, 0.3]}, "material": "wood",
             "position": [0, 0.0502, 0]},
        ],
    })
    simulation.step(50)
    return simulation["box"].velocity[0] > 0.05


def critical_angle(friction, resolution=0.25):
    low, high = 0.0, 60.0
    while high - low > resolution:
        middle = (low + high) / 2
        low, high = (low, middle) if slides(middle, friction) else (middle, high)
    return (low + high) / 2


# %%
print("friction   measured   atan(friction)")
for friction in [0.5] if SHORT else [0.2, 0.4, 0.6, 0.8]:
    measured, expected = critical_angle(friction), math.degrees(math.atan(friction))
    print(f"{friction:8.2f} {measured:9.2f}° {expected:12.2f}°")
    assert abs(measured - expected) < 1
