"""Joints that are steered, what holds bodies, and contacts by pairs."""

import csv
import math
import os
import subprocess

import numpy
import pytest
from conftest import FLOOR, box, small_scene

import bulwark

PROGRAM = os.environ.get("BULWARK_PROGRAM")
ROD = {"name": "rod", "kind": "affine", "shape": {"box": [1, 0.05, 0.05]}, "material": "tin", "position": [0, 2, 0]}
HINGE = {"name": "elbow", "kind": "hinge", "bodies": ["rod", "world"], "point": [0, 2, 0], "axis": [0, 0, 1],
         "start_degrees": 20}
COURSE = {"name": "drive", "kind": "motor", "joint": "elbow",
          "speed_degrees": {"times": [0, 1], "values": [0, 90]}}


def driven(**more):
    return bulwark.Simulation(small_scene([ROD], joints=[HINGE, COURSE], gravity=[0, 0, 0], **more))


def rows_of(file, **chosen):
    with open(file) as table:
        return [row for row in csv.DictReader(table) if all(row[key] == value for key, value in chosen.items())]


def test_a_motor_is_steered_by_its_joint_and_by_its_name():
    simulation = driven()
    elbow = simulation.joint("elbow")
    assert elbow.kind == "hinge" and elbow.angular and elbow.bodies == ("rod", "world") and elbow.driven_by == "drive"
    assert elbow.coordinate_degrees == pytest.approx(20)
    elbow.speed = 2
    assert simulation.joint("drive").speed == 2 and elbow.target is None and elbow.force is None
    simulation.step()
    assert elbow.coordinate == pytest.approx(math.radians(20) + 0.02, abs=1e-5) and elbow.rate == pytest.approx(2, abs=0.01)
    elbow.target_degrees = 30
    simulation.step(3)
    assert elbow.coordinate == pytest.approx(math.radians(30), abs=1e-5) == pytest.approx(elbow.target, abs=1e-5)
    simulation.joint("drive").force = 1.5
    assert elbow.force == 1.5 and elbow.speed is None
    simulation.step()
    assert simulation.joint("drive").reaction.torque[2] == pytest.approx(1.5)
    elbow.steer(speed=50, max_force=0.1)
    before = elbow.rate
    simulation.step()
    inertia = simulation["rod"].mass * (1 + 0.05**2) / 12
    assert elbow.rate - before == pytest.approx(0.01 * 0.1 / inertia, rel=0.05)
    elbow.release()
    assert elbow.speed_degrees == pytest.approx(90 * simulation.time) and elbow.max_force == math.inf


def test_a_spring_is_steered():
    spring = {"name": "coil", "kind": "spring", "bodies": ["rod", "world"], "points": [[0, 2, 0], [0, 3, 0]],
              "stiffness": 1e3}
    simulation = bulwark.Simulation(small_scene([ROD], joints=[spring]), overrides={"/time/step": 100})
    coil = simulation.joint("coil")
    assert coil.target == pytest.approx(1) and coil.stiffness == 1e3
    coil.target, coil.stiffness = 1.2, 2e3
    simulation.step(3)
    weight = 9.81 * simulation["rod"].mass
    assert coil.coordinate == pytest.approx(1.2 + weight / 2e3, rel=1e-4)
    assert coil.reaction.force[1] == pytest.approx(weight, rel=1e-4)


def test_what_can_not_be_steered_says_so():
    simulation = bulwark.Simulation(small_scene([ROD], joints=[HINGE]))
    elbow = simulation.joint("elbow")
    assert elbow.target is None and elbow.driven_by is None
    with pytest.raises(bulwark.InputError, match="joint 'elbow': no motor drives it") as error:
        elbow.target = 1
    assert '"kind": "motor", "joint": "elbow"' in error.value.remedy
    with pytest.raises(bulwark.InputError, match="joint 'knee': there is no such joint"):
        simulation.joint("knee")
    with pytest.raises(bulwark.InputError, match="no `sped` to steer"):
        elbow.steer(sped=1)
    simulation.add_joint(kind="motor", joint="elbow", name="late", torque=0)
    elbow.speed = 1
    simulation.remove_joint("late")
    assert elbow.speed is None
    simulation.remove_joint("elbow")
    assert not elbow.exists and "removed" in repr(elbow)
    with pytest.raises(bulwark.InputError, match="there is no such joint"):
        elbow.coordinate


def test_steering_is_part_of_states_and_saved_files(tmp_path):
    simulation = driven()
    simulation.joint("elbow").speed = 1
    simulation.step(2)
    state = simulation.state()
    simulation.save(tmp_path / "saved.bwk")
    simulation.step(3)
    expected = simulation.positions.copy()
    simulation.joint("elbow").force = 5
    simulation.step()
    simulation.restore(state)
    assert simulation.joint("elbow").speed == 1
    simulation.step(3)
    assert (simulation.positions == expected).all()
    loaded = bulwark.Simulation.load(tmp_path / "saved.bwk")
    loaded.step(3)
    assert (loaded.positions == expected).all()


def test_coordinates_have_one_unit_by_their_names(tmp_path):
    slide = {"name": "slide", "kind": "slider", "bodies": ["box", "world"], "point": [3, 2, 0], "axis": [1, 0, 0],
             "start": 0.4}
    block = {**box("box", [3, 2, 0]), "kind": "affine", "material": "tin", "velocity": [1, 0, 0]}
    simulation = bulwark.Simulation(small_scene([ROD, block], joints=[HINGE, COURSE, slide], gravity=[0, 0, 0]))
    simulation.joint("elbow").speed_degrees = 100
    with simulation.record(tmp_path / "run"):
        simulation.step(2)
    last = {row["joint"]: row for row in rows_of(tmp_path / "run" / "joints.csv", step="2")}
    elbow, slider = simulation.joint("elbow"), simulation.joint("slide")
    assert float(last["elbow"]["angle_degrees"]) == pytest.approx(22, abs=1e-3)
    assert float(last["elbow"]["angle_degrees"]) == pytest.approx(elbow.coordinate_degrees)
    assert elbow.coordinate_degrees == pytest.approx(math.degrees(elbow.coordinate)) and last["elbow"]["position"] == ""
    assert float(last["slide"]["position"]) == slider.coordinate == pytest.approx(0.42)
    assert last["slide"]["angle_degrees"] == ""
    assert simulation.joints()["coordinate"][0] == elbow.coordinate
    with pytest.raises(bulwark.InputError, match="it has no angle"):
        slider.coordinate_degrees


@pytest.mark.skipif(not PROGRAM, reason="needs the program")
def test_a_recorded_run_is_resumed_with_what_was_set_last(tmp_path):
    scene = small_scene([ROD], joints=[HINGE, COURSE], gravity=[0, 0, 0])
    scene.save(tmp_path / "scene.json")
    simulation = bulwark.Simulation(tmp_path / "scene.json")
    with simulation.record(tmp_path / "run"):
        simulation.joint("elbow").speed = 3
        simulation.step(4)
    said = subprocess.run([PROGRAM, "run", tmp_path / "scene.json", "-o", tmp_path / "run", "--resume", "--steps", "8"],
                          check=True, capture_output=True, text=True).stdout
    assert "joint 'drive' keeps what a program set" in said
    simulation.step(4)
    rows = rows_of(tmp_path / "run" / "joints.csv", joint="elbow")
    assert [row["step"] for row in rows] == [str(k) for k in range(1, 9)]
    assert math.radians(float(rows[-1]["angle_degrees"])) == pytest.approx(simulation.joint("elbow").coordinate, abs=1e-15)


def test_reactions_and_contacts_by_pairs(tmp_path):
    table = {**box("table", [0.3, 0.3, 0]), "shape": {"box": [1, 0.1, 1]}, "fixed": True}
    scene = small_scene([FLOOR, table, box("box", [0, 0.4505, 0]), box("loose", [2, 0.1005, 0])])
    simulation = bulwark.Simulation(scene)
    assert not simulation["table"].reaction.force.any()
    with simulation.record(tmp_path / "run"):
        simulation.step(150)
    held, block, floor = simulation["table"], simulation["box"], simulation["floor"]
    weight = 9.81 * block.mass
    assert held.reaction.force == pytest.approx([0, weight + 9.81 * held.mass, 0], abs=1e-2 * weight)
    assert held.reaction.torque[2] == pytest.approx(-0.3 * weight, rel=2e-2)
    at_box = held.reaction.about(block.position)
    assert at_box.torque[2] == pytest.approx(0.3 * 9.81 * held.mass, rel=2e-2)
    assert len(held.reactions) == 1 and block.reactions == [] and not block.reaction.force.any()
    assert block.contact_wrench.force == pytest.approx([0, weight, 0], abs=1e-2 * weight)
    assert floor.reaction.force == pytest.approx([0, weight, 0], abs=1e-2 * weight)
    assert floor.contact_wrench.force == pytest.approx(-floor.reaction.force)
    pairs = simulation.contact_pairs()
    assert [(p["body_a"], p["body_b"]) for p in pairs] == [(0, 3), (1, 2)]
    assert pairs["force"][1] == pytest.approx([0, -weight, 0], abs=1e-2 * weight) and pairs["contacts"].min() > 0
    assert pairs["contacts"].sum() == len(simulation.contacts())
    last = rows_of(tmp_path / "run" / "wrenches.csv", step="150", body="table", source="held")
    assert numpy.array([float(last[0][key]) for key in ("fx", "fy", "fz")]) == pytest.approx(held.reaction.force)
    last = rows_of(tmp_path / "run" / "contact_pairs.csv", step="150", body_a="table", body_b="box")
    assert float(last[0]["fy"]) == pairs["force"][1][1] and int(last[0]["contacts"]) == pairs["contacts"][1]
