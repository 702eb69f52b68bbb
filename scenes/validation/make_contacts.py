#!/usr/bin/env python3
"""Writes the scenes of contact: a brick on a slope, an oblique impact, a stack of spheres.

Run it in any folder after a change: it overwrites the files that it names in scenes/validation.
"""
import math

from make_mechanisms import write

SLOPE = 0.25  # rad


def tilted_gravity(slope, g=9.81):
    """Gravity as a slope of this angle feels it, that goes down along -x."""
    return [round(-g * math.sin(slope), 9), 0, round(-g * math.cos(slope), 9)]


def kelvin_voigt(viscosity):
    return {"kind": "kelvin-voigt", "shear": viscosity, "bulk": viscosity}


def brick():
    write("brick_on_slope", """
A rubber brick (10 MPa, 200 x 100 x 50 mm, T10) on a slope of 0.25 rad with friction 0.2. The frame is that of the slope: gravity leans
towards -x instead. With gravity = [-9.81 sin a, 0, -9.81 cos a] and friction 0.25, slopes of a = 0.18 and 0.1974 stick.

Right: the brick slides down with g (sin a - 0.2 cos a) = 0.526 m/s2.""", {
        "bulwark": 1, "title": "A brick on a slope",
        "time": {"step": 5e-4, "steps": 2000}, "gravity": tilted_gravity(SLOPE),
        "materials": {"rubber": {"model": "svk", "density": 1000, "young": 1e7, "poisson": 0.3}},
        "bodies": [{"name": "slope", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                   {"name": "brick", "kind": "deformable", "order": 2, "material": "rubber",
                    "shape": {"box": [0.2, 0.1, 0.05], "resolution": 0.05}, "position": [0, 0, 0.02505]}],
        "contact": {"friction": 0.2, "distance": 1e-4, "static_speed": 1e-4},
        "solver": {"tolerance": 1e-4}, "output": {"every": 100},
        "camera": {"position": [0.1, -0.8, 0.3], "target": [-0.1, 0, 0.02]}})


def impact():
    # 1 kg, as in the source.
    write("oblique_impact", """
A ball of 1 kg (150 mm, 10 MPa, T10) flies against a plane at 60 degrees to its normal, without gravity and without spin; friction 0.3.

Right: where it slides to the end, tan(angle) > 7/2 mu (1 + e) (64.5 degrees with e = 1), the contact takes the part mu (1 + e) / tan(angle) of the tangential
speed, and leaves a spin of 5/2 mu (1 + e) |v_n| / R.""", {
        "bulwark": 1, "title": "An oblique impact",
        "time": {"step": 1e-4, "duration": 0.02, "integrator": "bdf2"}, "gravity": [0, 0, 0],
        "materials": {"rubber": {"model": "svk", "density": 70.7355, "young": 1e7, "poisson": 0.3, "damping": kelvin_voigt(50)}},
        "bodies": [{"name": "floor", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}},
                   {"name": "ball", "kind": "deformable", "order": 2, "material": "rubber",
                    "shape": {"sphere": 0.15, "resolution": 0.08}, "position": [0, 0, 0.1503],
                    "velocity": [round(math.sin(math.pi / 3), 9), 0, -0.5]}],
        "contact": {"friction": 0.3, "distance": 2e-4, "static_speed": 1e-3},
        "solver": {"tolerance": 1e-4}, "output": {"every": 20},
        "camera": {"position": [0.1, -1, 0.3], "target": [0.05, 0, 0.15]}})


def stack():
    """Three balls in a triangle that do not touch each other, and one on top of them."""
    radius, apart, gap = 0.05, 0.104, 2e-4
    out = apart / math.sqrt(3)
    up = math.sqrt((2 * radius + gap) ** 2 - out ** 2)
    places = [[out * math.cos(a), out * math.sin(a), radius + gap] for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    places.append([0, 0, radius + gap + up])
    write("sphere_stack", """
Three rubber balls (50 mm, 1 MPa, T10, 0.52 kg) lie in a triangle, 4 mm apart, and carry a fourth. Friction 0.5.

Right: the stack stands. Each lower ball presses on the ground with 4/3 of a ball's weight, and the ground pushes it inwards by 0.112 of the weight: its two contact forces
meet in its lowest point. That takes a friction of 0.335 between the balls; with 0.25 the stack collapses.""", {
        "bulwark": 1, "title": "A stack of spheres",
        "time": {"step": 2e-3, "duration": 0.5}, "gravity": [0, 0, -9.81],
        "materials": {"rubber": {"model": "svk", "density": 1000, "young": 1e6, "poisson": 0.3, "damping": kelvin_voigt(500)}},
        "bodies": [{"name": "floor", "kind": "obstacle", "shape": {"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}}}] +
                  [{"name": name, "kind": "deformable", "order": 2, "material": "rubber", "shape": {"sphere": radius, "resolution": 0.04},
                    "position": [round(x, 9) for x in place]}
                   for name, place in zip(("left", "middle", "right", "top"), places)],
        "contact": {"friction": 0.5, "distance": 2e-4, "static_speed": 1e-5, "friction_iterations": 3},
        "solver": {"tolerance": 1e-4}, "output": {"every": 50},
        "camera": {"position": [0.3, -0.4, 0.25], "target": [0, 0, 0.07]}})


if __name__ == "__main__":
    brick()
    impact()
    stack()
