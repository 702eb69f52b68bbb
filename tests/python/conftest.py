"""What the tests of the Python module share."""

import pytest

import bulwark

FLOOR = {"name": "floor", "kind": "obstacle", "shape": {"plane": {"normal": [0, 1, 0]}}}
STEEL = {"model": "rigid", "density": 7800}
TIN = {"model": "affine", "density": 7300}
RUBBER = {"model": "neo-hookean", "density": 1000, "young": 1e5, "poisson": 0.4}


def box(name, position, **more):
    return {"name": name, "kind": "rigid", "shape": {"box": [0.2, 0.2, 0.2]}, "material": "steel",
            "position": list(position), **more}


def ball(name, position, **more):
    return {"name": name, "kind": "deformable", "shape": {"sphere": 0.1, "resolution": 0.08}, "material": "rubber",
            "position": list(position), **more}


def small_scene(bodies=None, **more):
    return bulwark.Scene(time={"step": 0.01, "steps": 20}, materials={"steel": STEEL, "rubber": RUBBER, "tin": TIN},
                         bodies=[FLOOR, box("box", [0, 0.12, 0]), ball("ball", [0.02, 0.35, 0])]
                         if bodies is None else bodies, **more)


@pytest.fixture
def simulation():
    return bulwark.Simulation(small_scene())
