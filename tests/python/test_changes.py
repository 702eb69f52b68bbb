"""Bodies come and go between steps, and the promises stay."""

import pytest
from conftest import FLOOR, ball, box, small_scene

import bulwark


def test_bodies_are_added_and_removed(simulation):
    simulation.step(3)
    distance = simulation.derived["contact_distance"]
    new = simulation.add_body(**box("new", [0, 0.8, 0], velocity=[0, -1, 0]))
    assert new.name == "new" and new.index == 3 and "new" in simulation
    soft = simulation.add_body(**{**ball("", [1, 1, 0]), "name": "soft"})
    assert simulation.derived["contact_distance"] == distance
    simulation.step(3)
    assert new.velocity[1] < -1
    simulation["ball"].remove()
    assert "ball" not in simulation and new.index == 2 and soft.exists
    simulation.step(40)
    assert new.position[1] == pytest.approx(0.3, abs=0.02)
    simulation.remove(new, "soft")
    assert not new.exists and "removed" in repr(new)
    with pytest.raises(bulwark.InputError, match="removed"):
        new.position
    simulation.step()


def test_an_intersecting_addition_is_refused_with_the_pair_named(simulation):
    simulation.step(2)
    before = simulation.positions.copy()
    with pytest.raises(bulwark.IntersectionError, match="'intruder'.*'box'|'box'.*'intruder'"):
        simulation.add_body(**box("intruder", simulation["box"].position + [0.05, 0.05, 0.05]))
    assert (simulation.positions == before).all() and "intruder" not in simulation
    simulation.step()


def test_additions_are_checked_as_scenes_are(simulation):
    with pytest.raises(bulwark.InputError, match=r"addition: /bodies/0/shap: .*\n.*shape"):
        simulation.add_body(name="x", kind="rigid", shap={"box": [1, 1, 1]}, material="steel")
    with pytest.raises(bulwark.InputError, match="has a body \"box\" already"):
        simulation.add_body(**box("box", [5, 1, 0]))
    with pytest.raises(bulwark.InputError, match="no material"):
        simulation.add_body(**{**box("x", [5, 1, 0]), "material": "gold"})
    with pytest.raises(bulwark.InputError, match="material of this name"):
        simulation.add(bodies=[box("x", [5, 1, 0])], materials={"steel": {"model": "rigid", "density": 1}})
    with pytest.raises(bulwark.InputError):
        simulation["nobody"]
    assert len(simulation.bodies) == 3


def test_materials_that_were_added_serve_later_additions(simulation):
    lead = {"model": "rigid", "density": 11000}
    simulation.add(materials={"lead": lead}, bodies=[{**box("first", [4, 1, 0]), "material": "lead"}])
    assert simulation.add_body(**{**box("x", [5, 1, 0]), "material": "lead"}).mass == pytest.approx(88)


def test_copies_and_bodies_without_a_name_get_one(simulation):
    bodies = simulation.add(bodies=[{**box("row", [2, 1, 0]), "repeat": {"count": [3, 1, 1], "spacing": [1, 0, 0]}}])
    assert [b.name for b in bodies] == ["row[0,0,0]", "row[1,0,0]", "row[2,0,0]"]
    plain = box("", [0, 3, 0])
    del plain["name"]
    names = {simulation.add_body(**{**plain, "position": [0, 3 + k, 0]}).name for k in range(3)}
    assert len(names) == 3


def test_an_empty_world_is_filled():
    simulation = bulwark.Simulation(small_scene([FLOOR]))
    for k in range(3):
        simulation.add_body(**box(f"box {k}", [0, 0.15 + 0.25 * k, 0]))
        simulation.step(5)
    simulation.step(40)
    assert sorted(round(b.position[1], 1) for b in simulation.bodies[1:]) == [0.1, 0.3, 0.5]
    for body in simulation.bodies[1:]:
        body.remove()
    simulation.step()


def test_affine_bodies_come_to_bdf2():
    scene = small_scene([FLOOR, {**box("a", [0, 2, 0]), "kind": "affine", "material": "tin"}])
    scene["time"]["integrator"] = "bdf2"
    simulation = bulwark.Simulation(scene)
    simulation.step(5)
    b = simulation.add_body(**{**box("b", [1, 2, 0]), "kind": "affine", "material": "tin"})
    simulation.step(10)
    assert b.position[1] == pytest.approx(2 - 0.5 * 9.81 * 0.1**2, abs=1e-8)


def pendulum(name, x):
    """A bar that hangs from a hinge in the world, and its joint."""
    bar = {"name": name, "kind": "affine", "shape": {"box": [0.4, 0.05, 0.05]}, "material": "tin",
           "position": [x + 0.2, 2, 0]}
    hinge = {"name": f"hinge of {name}", "kind": "hinge", "bodies": [name, "world"], "point": [x, 2, 0],
             "axis": [0, 0, 1]}
    return bar, hinge


def test_joints_are_read_added_and_removed(tmp_path):
    bar, hinge = pendulum("first", 0)
    simulation = bulwark.Simulation(small_scene([FLOOR, bar], joints=[hinge]))
    simulation.step(5)
    assert simulation.joint_names == ["hinge of first"]
    joints = simulation.joints()
    assert abs(joints["coordinate"][0]) > 0.01 and joints["error"][0] < 1e-9
    assert joints["force"][0, 1] > 0  # it carries the bar

    bar, hinge = pendulum("second", 2)
    simulation.add(bodies=[bar], joints=[hinge])
    simulation.step(5)
    assert len(simulation.joints()) == 2
    first, second = simulation.joints()["coordinate"]
    assert abs(first) > abs(second) > 0.01  # the second began later
    simulation.save(tmp_path / "saved")

    with pytest.raises(bulwark.InputError, match="joint 'hinge of second': its bodies would no longer fit together"):
        simulation["second"].position = [5, 2, 0]
    with pytest.raises(bulwark.InputError, match="has a joint \"hinge of first\" already"):
        simulation.add_joint(**pendulum("first", 0)[1])

    simulation["first"].remove()
    assert simulation.joint_names == ["hinge of second"]
    angle = simulation.joints()["coordinate"][0]
    assert angle == second
    simulation.step(3)
    assert abs(simulation.joints()["coordinate"][0]) > abs(angle)
    simulation.remove_joint("hinge of second")
    assert len(simulation.joints()) == 0
    height = simulation["second"].velocity[1]
    simulation.step(5)
    assert simulation["second"].velocity[1] == pytest.approx(height - 0.05 * 9.81, rel=0.1)

    again = bulwark.Simulation.load(tmp_path / "saved")
    again["first"].remove()
    again.step(3)
    again.remove_joint("hinge of second")
    again.step(5)
    assert (again.positions == simulation.positions).all()
    with pytest.raises(bulwark.InputError, match="there is no such joint"):
        simulation.remove_joint("no such")


def free_bar(name, y, velocity):
    return {"name": name, "kind": "affine", "shape": {"box": [0.4, 0.05, 0.05]}, "material": "tin",
            "position": [0, y, 0], "velocity": velocity, "angular_velocity_degrees": [0, 0, 90]}


def test_joints_tie_bodies_that_have_moved(tmp_path):
    scene = small_scene([FLOOR, free_bar("low", 2, [0.2, 0, 0]), free_bar("high", 2.3, [-0.2, 0, 0])])
    simulation = bulwark.Simulation(scene)
    simulation.step(10)
    low, high = simulation["low"], simulation["high"]
    middle = (low.position + high.position) / 2
    simulation.add_joint(name="pin", kind="hinge", bodies=["high", "low"], point=list(middle), axis=[0, 0, 1])
    assert simulation.joint_names == ["pin"] and abs(simulation.joints()["coordinate"][0]) < 1e-12
    before = simulation.positions.copy()
    simulation.step(5)
    simulation.save(tmp_path / "saved")
    simulation.step(15)
    joints = simulation.joints()
    assert joints["error"][0] < 1e-12 and not (simulation.positions == before).all()
    # The distance of each center from the pin stays.
    apart = (low.position - high.position) @ (low.position - high.position)
    assert apart**0.5 == pytest.approx(0.3, abs=0.05)

    again = bulwark.Simulation.load(tmp_path / "saved")
    again.step(15)
    assert (again.positions == simulation.positions).all()

    with pytest.raises(bulwark.InputError, match="nobody"):
        simulation.add_joint(kind="point", bodies=["low", "nobody"], point=[0, 2, 0])
    simulation.add_joint(kind="point", bodies=["low", "world"], point=list(low.position))  # gets a name of its own
    assert len(set(simulation.joint_names)) == 2


def test_all_coordinates_of_a_joint_are_told():
    bar, hinge = pendulum("bar", 0)
    cone = {**hinge, "kind": "cone-twist", "frame": {"x": [1, 0, 0], "y": [0, 1, 0]}}
    del cone["axis"]
    simulation = bulwark.Simulation(small_scene([FLOOR, bar], joints=[cone]))
    simulation.step(10)
    twist, bend_y, bend_z = simulation.joints()["coordinates"][0]
    assert abs(twist) < 1e-9 and abs(bend_y) < 1e-9 and bend_z < -0.1
    assert simulation.joints()["coordinate"][0] == twist
