"""Steps, arrays, forces, contacts, states, and the run folder."""

import gc
import json
import logging
import os
import signal
import subprocess
import threading
import time

import numpy
import pytest
from conftest import FLOOR, box, small_scene

import bulwark

PROGRAM = os.environ.get("BULWARK_PROGRAM")


def test_a_step_reports(simulation):
    report = simulation.step()
    assert (report.step, report.time) == (1, 0.01)
    assert report.newton_iterations >= 1 and report.substeps == 1
    assert report.energies["total"] == pytest.approx(
        sum(report.energies[part] for part in ("kinetic", "elastic", "gravity", "contact")))
    assert set(report.profile) >= {"assembly", "ccd"}
    assert "step=1" in repr(report) and "3 bodies" in repr(simulation)


def test_a_body_falls():
    simulation = bulwark.Simulation(small_scene([box("b", [0, 5, 0])]))
    simulation.step(10)
    t, h = 0.1, 0.01
    assert simulation["b"].position[1] == pytest.approx(5 - 0.5 * 9.81 * t * (t + h))
    assert simulation["b"].velocity == pytest.approx([0, -0.981, 0])
    assert simulation.poses()[0] == pytest.approx([0, simulation["b"].position[1], 0, 1, 0, 0, 0])
    assert simulation.body_velocities().shape == (1, 6)


def test_positions_are_a_view_that_follows_the_simulation(simulation):
    positions, velocities = simulation.positions, simulation.velocities
    assert not positions.flags.owndata and not positions.flags.writeable
    before = positions.copy()
    simulation.step(5)
    assert (positions != before).any()
    assert (positions == simulation.positions).all()
    assert positions.ctypes.data == simulation.positions.ctypes.data
    assert velocities.ctypes.data == simulation.velocities.ctypes.data
    simulation.restore(simulation.state())
    assert positions.ctypes.data == simulation.positions.ctypes.data
    assert (simulation["ball"].nodes == positions[simulation["ball"].controls]).all()


def test_views_outlive_the_simulation_and_changes():
    simulation = bulwark.Simulation(small_scene())
    simulation.control_forces[:] = 0
    views = []
    for k in range(5):
        views.append((simulation.positions, simulation.positions.copy(), simulation.control_forces))
        simulation.add_body(**box(f"new {k}", [3 + k, 1, 0]))
    for position, copy, forces in views:
        assert (position == copy).all() and not forces.any()
    assert simulation.positions.shape[0] == views[0][0].shape[0] + 20
    last = simulation.positions
    expected = last.copy()
    del simulation
    gc.collect()
    assert (last == expected).all()


def test_surfaces_come_as_arrays(simulation):
    vertices, triangles, bodies = simulation.vertices(), simulation.triangles(), simulation.vertex_bodies()
    assert triangles.max() < len(vertices) == len(bodies)
    box_body = simulation["box"]
    assert box_body.vertices.shape == (8, 3)
    assert box_body.vertices.mean(axis=0) == pytest.approx(box_body.position)
    assert (bodies[box_body.vertex_range] == box_body.index).all()
    assert simulation.von_mises_stress().ndim == 1


def test_integration_points_sum_up_to_the_elastic_energy(simulation):
    report = simulation.step(20)
    points = simulation.integration_points()
    count = len(points["body"])
    assert (points["body"] == simulation["ball"].index).all() and points["element"].max() == count - 1
    assert points["volume"].sum() * 1000 == pytest.approx(simulation["ball"].mass)
    assert report.energies["elastic"] > 0
    assert (points["energy_density"] * points["volume"]).sum() == pytest.approx(report.energies["elastic"], rel=1e-9)
    stress = points["cauchy"]
    assert stress.shape == (count, 3, 3) and (stress == stress.transpose(0, 2, 1)).all()
    deviator = stress - numpy.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * numpy.eye(3)
    assert points["von_mises"] == pytest.approx(numpy.sqrt(1.5 * (deviator**2).sum(axis=(1, 2))))


def test_contacts_balance_the_weight():
    simulation = bulwark.Simulation(small_scene([FLOOR, box("b", [0, 0.102, 0])]))
    simulation.step(30)
    contacts = simulation.contacts()
    assert len(contacts) >= 3
    assert set(contacts.dtype.names) == {"body_a", "body_b", "position", "normal_force", "friction_force", "distance"}
    sign = numpy.where(contacts["body_a"] == simulation["b"].index, 1, -1)
    total = (sign[:, None] * contacts["normal_force"]).sum(axis=0)
    weight = simulation["b"].mass * 9.81
    assert total[1] == pytest.approx(weight, rel=0.02)
    assert simulation["b"].contact_force[1] == pytest.approx(weight, rel=0.02)
    assert (contacts["distance"] > 0).all()
    assert simulation.contact_forces().shape == simulation.positions.shape


def test_forces_and_torques_act_until_they_are_changed():
    scene = small_scene([box("b", [0, 5, 0])], gravity=[0, 0, 0])
    simulation = bulwark.Simulation(scene)
    body = simulation["b"]
    body.force = [body.mass, 0, 0]
    body.torque = [0, body.mass * 0.2**2 / 6, 0]
    assert body.force == pytest.approx([body.mass, 0, 0])
    simulation.step(10)
    assert body.velocity == pytest.approx([0.1, 0, 0])
    assert body.angular_velocity == pytest.approx([0, 0.1, 0], abs=1e-5)
    body.force, body.torque = [0, 0, 0], numpy.zeros(3)
    simulation.control_forces[body.controls.start] = [0, 0, body.mass]
    simulation.step(10)
    assert body.velocity == pytest.approx([0.1, 0, 0.1])
    simulation.control_forces[0, 0] = numpy.nan
    with pytest.raises(bulwark.InputError, match="not finite"):
        simulation.step()


def test_a_soft_body_takes_no_torque(simulation):
    with pytest.raises(bulwark.InputError, match="only affine and rigid bodies take a torque"):
        simulation["ball"].torque = [1, 0, 0]


def test_positions_and_velocities_are_set_with_checks(simulation):
    body = simulation["box"]
    body.move(position=[2, 1, 0], velocity=[0, 1, 0], angular_velocity=[0, 0, 2])
    assert body.position == pytest.approx([2, 1, 0]) and body.angular_velocity == pytest.approx([0, 0, 2])
    body.quaternion = [1, 0, 0, 1]
    assert body.rotation == pytest.approx(numpy.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-12)
    assert body.quaternion == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])
    before = simulation.positions.copy()
    with pytest.raises(bulwark.IntersectionError, match="'ball'"):
        body.position = simulation["ball"].position + [0.1, 0, 0]
    assert (simulation.positions == before).all()
    with pytest.raises(bulwark.InputError, match="follows a script"):
        simulation["floor"].position = [0, -1, 0]
    with pytest.raises(bulwark.InputError, match="not a rotation"):
        body.rotation = 2 * numpy.eye(3)
    moved = before + [0, 0.5, 0]
    moved[simulation["floor"].controls] = before[simulation["floor"].controls]
    controls = body.controls
    moved[controls.start + 1:controls.stop] = before[controls.start + 1:controls.stop]
    simulation.positions = moved
    assert simulation["ball"].position[1] == pytest.approx(0.85, abs=0.01)
    with pytest.raises(ValueError):
        simulation.positions[0, 0] = 3  # the view is read-only
    for bad in (moved[:-1], numpy.full_like(moved, numpy.nan), [1, 2, 3]):
        with pytest.raises(bulwark.InputError):
            simulation.positions = bad
    simulation.velocities = numpy.zeros_like(moved)
    assert not simulation.velocities.any()
    simulation.step()


def test_callbacks_run_around_every_step(simulation):
    seen = []

    @simulation.before_step
    def before(s):
        seen.append(("before", s.step_count))

    @simulation.after_step
    def after(s, report):
        seen.append(("after", report.step))

    simulation.step(2)
    simulation.remove_callback(before)
    simulation.step()
    assert seen == [("before", 0), ("after", 1), ("before", 1), ("after", 2), ("after", 3)]


def test_an_exception_in_a_callback_reaches_the_caller(simulation):
    @simulation.after_step
    def fail(s, report):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        simulation.step()
    assert simulation.step_count == 1


def test_states_come_back_bit_by_bit(simulation):
    simulation.step(4)
    state = simulation.state()
    simulation.step(4)
    later = simulation.positions.copy()
    simulation.restore(state)
    assert simulation.step_count == 4 == state.step
    simulation.step(4)
    assert (simulation.positions == later).all()
    simulation.add_body(**box("new", [3, 1, 0]))
    with pytest.raises(bulwark.InputError, match="another size"):
        simulation.restore(state)


@pytest.mark.parametrize("integrator", ["implicit-euler", "bdf2", "newmark"])
def test_a_saved_simulation_continues_bit_by_bit_after_changes(tmp_path, integrator):
    affine = {"kind": "affine", "material": "tin"}
    scene = small_scene([FLOOR, {**box("a", [0, 0.12, 0]), **affine}, {**box("b", [0, 0.35, 0]), **affine}])
    scene["time"]["integrator"] = integrator
    simulation = bulwark.Simulation(scene)
    simulation.step(3)
    simulation.add(materials={"lead": {"model": "affine", "density": 11000}},
                   bodies=[{**box("c", [0, 0.6, 0]), "kind": "affine", "material": "lead"}])
    simulation.add_body(name="wall", kind="obstacle", shape={"box": [0.1, 1, 1]}, position=[-0.5, 0.5, 0],
                        motion={"linear": [0.3, 0, 0]})
    simulation.step(3)
    simulation.remove("b")
    simulation.add_body(**{**box("d", [0.5, 0.6, 0]), "kind": "affine", "material": "lead"})
    simulation.step(3)
    simulation.save(tmp_path / "saved.bwk")
    simulation.step(5)
    again = bulwark.Simulation.load(tmp_path / "saved.bwk")
    assert again.step_count == 9 and [b.name for b in again.bodies] == [b.name for b in simulation.bodies]
    again.step(5)
    assert (again.positions == simulation.positions).all()
    assert again.derived == simulation.derived


def test_a_damaged_saved_file_is_refused(tmp_path, simulation):
    file = tmp_path / "saved.bwk"
    simulation.save(file)
    data = file.read_bytes()
    for bad in (b"", b"text", data[:40], data[:-10], data[:-1] + bytes([data[-1] ^ 1])):
        file.write_bytes(bad)
        with pytest.raises(bulwark.InputError):
            bulwark.Simulation.load(file)


def test_other_threads_run_while_a_step_does(simulation):
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    simulation.step(10)
    done.set()
    thread.join()
    assert counted[0] > 1


def test_ctrl_c_ends_a_run_after_the_step(simulation):
    timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.step(1_000_000)
    timer.join()
    steps = simulation.step_count
    assert simulation.step().step == steps + 1


def test_ctrl_c_ends_a_step_in_its_midst():
    block = {"name": "block", "kind": "deformable", "material": "rubber", "position": [0, 0.51, 0], "velocity": [0, -6, 0],
             "shape": {"box": [1, 1, 1], "resolution": 0.06}}
    scene = small_scene([FLOOR, block], contact={"friction": 0.3}, solver={"tolerance": 1e-9})
    scene["time"]["step"] = 0.02
    simulation = bulwark.Simulation(scene)
    before = simulation.positions.copy()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.step()
    timer.join()
    assert simulation.step_count == 0 and (simulation.positions == before).all()


def test_a_step_that_can_not_be_solved_leaves_the_state():
    scene = small_scene(solver={"max_iterations": 1, "tolerance": 1e-9})
    simulation = bulwark.Simulation(scene)
    before = simulation.positions.copy()
    with pytest.raises(bulwark.SolveError, match="could not be solved") as caught:
        simulation.step(20)
    assert "shorter time step" in caught.value.remedy and caught.value.exit_code == 3
    if simulation.step_count == 0:
        assert (simulation.positions == before).all()


def test_warnings_go_to_the_logger(caplog):
    scene = small_scene(solver={"max_iterations": 1, "tolerance": 1e-9})
    with caplog.at_level(logging.WARNING, logger="bulwark"), pytest.raises(bulwark.SolveError):
        bulwark.Simulation(scene).step(20)
    assert any("halves" in record.message for record in caplog.records)


def test_a_recorded_run_is_one_of_the_command_line(tmp_path, simulation):
    with simulation.record(tmp_path / "run"):
        simulation.step(4)
        simulation.add_body(**box("late", [1, 0.5, 0]))
        simulation.step(4)
    summary = json.loads((tmp_path / "run/summary.json").read_text())
    assert summary["state"] == "done"
    assert len(list((tmp_path / "run/frames").glob("*.vtu"))) == 9
    rows = (tmp_path / "run/bodies.csv").read_text().splitlines()
    assert len(rows) == 1 + 5 * 3 + 4 * 4 and rows[-1].split(",")[2] == "late"
    simulation.step()  # not recorded any more
    assert len((tmp_path / "run/steps.csv").read_text().splitlines()) == 9
    if PROGRAM:
        checked = subprocess.run([PROGRAM, "check", tmp_path / "run"], capture_output=True, text=True)
        assert checked.returncode == 0 and "9 frames" in checked.stdout, checked.stdout + checked.stderr
        drawn = subprocess.run([PROGRAM, "render", tmp_path / "run", "-o", tmp_path / "p.png"], capture_output=True)
        assert drawn.returncode == 0 and (tmp_path / "p.png").stat().st_size > 1000


def test_a_recorded_run_says_how_it_ended(tmp_path, simulation):
    with pytest.raises(KeyError), simulation.record(tmp_path / "run"):
        simulation.step()
        raise KeyError
    assert json.loads((tmp_path / "run/summary.json").read_text())["state"] == "interrupted"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").write_text("precious")
    with pytest.raises(bulwark.InputError, match="left untouched"), simulation.record(tmp_path / "mine"):
        pass


def test_results_are_replaced_only_when_forced_to(tmp_path, simulation):
    with simulation.record(tmp_path / "run"):
        simulation.step(2)
    before = (tmp_path / "run/bodies.csv").read_text()
    with pytest.raises(bulwark.InputError, match="force=True"), simulation.record(tmp_path / "run"):
        simulation.step()
    assert (tmp_path / "run/bodies.csv").read_text() == before
    with simulation.record(tmp_path / "run", force=True):
        simulation.step()
    assert (tmp_path / "run/bodies.csv").read_text() != before


def test_output_that_cannot_be_written_is_an_error(tmp_path, simulation):
    with pytest.raises(bulwark.OutputError, match="cannot write"):
        with simulation.record(tmp_path / "run"):
            simulation.step()
            (tmp_path / "run/frames").rename(tmp_path / "elsewhere")
            simulation.step(20)


@pytest.mark.skipif(not PROGRAM, reason="needs the program")
def test_python_and_the_command_line_give_the_same_bits(tmp_path):
    small_scene().save(tmp_path / "scene.json")
    subprocess.run([PROGRAM, "run", tmp_path / "scene.json", "-o", tmp_path / "cli", "--steps", "8"], check=True,
                   capture_output=True)
    simulation = bulwark.Simulation(tmp_path / "scene.json")
    with simulation.record(tmp_path / "python"):
        simulation.step(8)
    assert (tmp_path / "cli/bodies.csv").read_text() == (tmp_path / "python/bodies.csv").read_text()
