"""The simulation: steps, states, changes between steps, output."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

import numpy

from . import _bulwark
from ._bulwark import State, StepReport
from .body import Body
from .errors import InputError, SolveError
from .joint import Joint
from .scene import Json, Scene, find_scene, to_json

BeforeStep = Callable[["Simulation"], object]
AfterStep = Callable[["Simulation", StepReport], object]

_saved_mark = b"bulwark saved simulation 1\n"


class Simulation:
    """A scene that is being simulated.

    `scene` is a Scene or a dict with the keys of a scene file, a file's path, or the name of a shipped scene.
    `overrides` changes values by JSON pointer, as `--set` does: ``{"/time/step": 0.005}``. `threads` is 0 for all.
    Raises InputError for a bad scene and IntersectionError when its bodies touch at the start.
    """

    def __init__(self, scene: Union[Scene, Mapping[str, Json], str, os.PathLike], *,
                 overrides: Optional[Mapping[str, Json]] = None, threads: Optional[int] = None) -> None:
        is_file = isinstance(scene, (str, os.PathLike))
        if isinstance(scene, (str, os.PathLike)):
            path = find_scene(scene)
            text, name, folder = path.read_text(encoding="utf-8"), str(path), str(path.parent)
        else:
            if not isinstance(scene, Scene):
                scene = Scene(scene)
            text, name, folder = scene.to_json(), scene.name, scene.folder
        assignments = [f"{pointer}={to_json(value)}" for pointer, value in (overrides or {}).items()]
        self._start(_bulwark.RunningScene(text, name, folder, assignments, threads, is_file))

    def _start(self, core: _bulwark.RunningScene) -> None:
        self._core = core
        self._before: list[BeforeStep] = []
        self._after: list[AfterStep] = []
        self._recording: Optional[_bulwark.Recording] = None

    # Steps

    def step(self, count: int = 1) -> Optional[StepReport]:
        """Does `count` time steps; returns the last one's report.

        Other Python threads run meanwhile. Ctrl-C ends the step that is running. Raises SolveError when a step can't be
        solved. In both cases the simulation is then as before that step.
        """
        report = None
        for _ in range(count):
            for before in self._before:
                before(self)
            report = self._core.step()
            if self._recording is not None:
                self._recording.record(report)
            for after in self._after:
                after(self, report)
        return report

    def run(self) -> Optional[StepReport]:
        """Steps until the scene's own number of steps is reached; returns the last report."""
        return self.step(max(0, self._core.planned_steps - self.step_count))

    def before_step(self, call: BeforeStep) -> BeforeStep:
        """Calls `call(simulation)` before every step; can be used as a decorator."""
        self._before.append(call)
        return call

    def after_step(self, call: AfterStep) -> AfterStep:
        """Calls `call(simulation, report)` after every step; can be used as a decorator."""
        self._after.append(call)
        return call

    def remove_callback(self, call: Union[BeforeStep, AfterStep]) -> None:
        """Stops calling it."""
        self._before = [other for other in self._before if other is not call]
        self._after = [other for other in self._after if other is not call]

    @property
    def step_count(self) -> int:
        """Steps done."""
        return self._core.step_count

    @property
    def time(self) -> float:
        """Simulated time (s)."""
        return self._core.time

    @property
    def time_step(self) -> float:
        """The time step (s)."""
        return self._core.time_step

    # Arrays

    @property
    def positions(self) -> numpy.ndarray:
        """Positions of all controls, (n, 3): a read-only view without a copy, which shows every later state until
        bodies are added or removed. Assigning sets them all at once, checked as at the start."""
        return self._core.positions

    @positions.setter
    def positions(self, value: numpy.ndarray) -> None:
        self._core.move_to(value, None)

    @property
    def velocities(self) -> numpy.ndarray:
        """Velocities of all controls, as `positions`."""
        return self._core.velocities

    @velocities.setter
    def velocities(self, value: numpy.ndarray) -> None:
        self._core.move_to(None, value)

    @property
    def control_forces(self) -> numpy.ndarray:
        """Forces on all controls, (n, 3), in addition to those of the scene (N): a writable view. They act until they are
        changed."""
        return self._core.control_forces

    def vertices(self) -> numpy.ndarray:
        """Positions of the vertices of all surfaces, (n, 3)."""
        return self._core.vertices()

    def triangles(self) -> numpy.ndarray:
        """The triangles of all surfaces, (n, 3), by rows of `vertices()`."""
        return self._core.triangles()

    def vertex_bodies(self) -> numpy.ndarray:
        """The index of the body of every vertex."""
        return self._core.vertex_bodies()

    def poses(self) -> numpy.ndarray:
        """All bodies, (n, 7): x, y, z of the center of mass and the quaternion w, x, y, z with w >= 0."""
        return self._core.poses()

    def body_velocities(self) -> numpy.ndarray:
        """All bodies, (n, 6): velocity of the center of mass and angular velocity (rad/s)."""
        return self._core.body_velocities()

    def contacts(self) -> numpy.ndarray:
        """The contacts at this moment, a structured array with the fields `body_a`, `body_b` (indices), `position`,
        `normal_force` and `friction_force` on body_a (N; body_b gets the opposite), and `distance` (m)."""
        return self._core.contacts()

    def contact_pairs(self) -> numpy.ndarray:
        """The contacts added up by pairs of bodies, a structured array with the fields `body_a`, `body_b` (indices, the
        smaller first), `contacts` (how many), `force` and `torque` on body_a (N, N m; body_b gets the opposite), and
        `position`, the point that the torque is about: the mean of the contacts, weighted by their normal forces."""
        return self._core.contact_pairs()

    def contact_forces(self) -> numpy.ndarray:
        """Contact and friction force on every control, (n, 3) (N)."""
        return self._core.contact_forces()

    def contact_pressure(self) -> numpy.ndarray:
        """Contact pressure on every vertex of the surface, (n,) (Pa), positive in compression."""
        return self._core.contact_pressure()

    def contact_traction(self) -> numpy.ndarray:
        """Friction force per area on every vertex of the surface, (n, 3) (Pa)."""
        return self._core.contact_traction()

    def von_mises_stress(self) -> numpy.ndarray:
        """Von Mises stress of every tetrahedron (Pa)."""
        return self._core.von_mises_stress()

    def integration_points(self) -> dict[str, numpy.ndarray]:
        """The points that the elastic energy of solids is summed over, with a row for each: `body`, `element` (its number in
        the body), `position`, `volume` (m^3, at rest), `cauchy` and `second` (n, 3, 3) (Pa), `strain` (n, 3, 3; Green's),
        `von_mises` (Pa), `energy_density` (J/m^3, by volume at rest)."""
        return self._core.integration_points()

    # Joints

    def joint(self, name: str) -> Joint:
        """The joint of this name, to read and to steer. Raises InputError when there is none."""
        return Joint(self, name)

    @property
    def joint_names(self) -> list[str]:
        """Names of the joints, in the order of `joints()`."""
        return self._core.joint_names()

    def joints(self) -> numpy.ndarray:
        """The joints at the end of the last step, a structured array with the fields `coordinate` (rad or m, turns
        counted; nan where it has none), `coordinates` (three: of a universal joint two angles, of a cone-twist its twist,
        bend about y and bend about z; nan beyond what it has), `error` of its equations, `force` and `torque` on its first body (N, N m)."""
        return self._core.joints()

    def remove_joint(self, *names: str) -> None:
        """Removes joints between steps, and the motors that drive them. A body's joints go when it is removed."""
        self._core.remove_joints(list(names))

    # Bodies

    @property
    def bodies(self) -> list[Body]:
        """All bodies, by index."""
        core = self._core
        return [Body(self, core.body_info(index)["id"]) for index in range(core.body_count())]

    def __getitem__(self, name: str) -> Body:
        """The body of this name."""
        identity = self._core.find_body(name)
        if identity >= 0:
            return Body(self, identity)
        known = ", ".join(body.name for body in self.bodies[:10])
        raise InputError(f"body '{name}': there is none\n  the bodies are: {known}", f"body '{name}'",
                         f"the bodies are: {known}")

    def __contains__(self, name: str) -> bool:
        return self._core.find_body(name) >= 0

    def add_body(self, **keys: Json) -> Body:
        """Adds a body between steps, with the keys of the scene file; motions and time tables in it begin now.

        Raises IntersectionError, naming the pair, when it would touch something; the simulation is then as before.
        With `repeat` the first of the copies is returned."""
        return self.add(bodies=[keys])[0]

    def add_joint(self, **keys: Json) -> None:
        """Adds a joint between steps, with the keys of the scene file; its points and axes are in the world at this moment,
        and its coordinate begins at zero. Where its bodies are moving apart, the joint stops that at once."""
        self.add(joints=[keys])

    def add(self, *, bodies: Sequence[Mapping[str, Json]] = (), materials: Optional[Mapping[str, Json]] = None,
            joints: Sequence[Mapping[str, Json]] = ()) -> list[Body]:
        """Adds bodies, materials for them, and joints of any bodies, in one change, as a scene file has them. Returns
        the new bodies."""
        addition: dict[str, Any] = {}
        if bodies or not joints:
            addition["bodies"] = list(bodies)
        if joints:
            addition["joints"] = list(joints)
        if materials is not None:
            addition["materials"] = dict(materials)
        return [Body(self, self._core.body_info(index)["id"]) for index in self._core.add(to_json(addition))]

    def remove(self, *bodies: Union[Body, str]) -> None:
        """Removes bodies between steps, given as objects or by their names."""
        found = [self[body] if isinstance(body, str) else body for body in bodies]
        self._core.remove([body.index for body in found])

    # States

    def state(self) -> State:
        """The present state, to come back to with `restore`."""
        return self._core.state()

    def restore(self, state: State) -> None:
        """Goes back to a state that was taken with the same bodies. Motors and springs are steered as they were then;
        forces on bodies that were set stay as they are."""
        self._core.restore(state)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Saves scene, changes and state in one file, whole or not at all. Mesh files are not part of it."""
        header = {"scene": json.loads(self._core.resolved), "name": self._core.name,
                  "folder": os.path.abspath(self._core.base_folder or "."), "changes": self._core.changes()}
        path = Path(path)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, suffix=".partial", delete=False) as file:
            file.write(_saved_mark + json.dumps(header).encode() + b"\n" + self._core.checkpoint())
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, path)

    @classmethod
    def load(cls, path: Union[str, os.PathLike], *, threads: Optional[int] = None) -> "Simulation":
        """A simulation from a file that `save` wrote; it continues bit by bit as the saved one did."""
        data = Path(path).read_bytes()
        place, remedy = os.fspath(path), "give a file that Simulation.save wrote"
        if not data.startswith(_saved_mark):
            raise InputError(f"{place}: this is no saved simulation\n  {remedy}", place, remedy)
        header_bytes, _, checkpoint = data[len(_saved_mark):].partition(b"\n")
        try:
            header = json.loads(header_bytes)
            scene = header["scene"]
            changes = [(float(at), str(kind), str(what)) for at, kind, what in header["changes"]]
            name, folder = header["name"], header["folder"]
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{place}: this saved simulation is damaged\n  {remedy}", place, remedy) from None
        core = _bulwark.RunningScene(json.dumps(scene), name, folder, [], threads, False)
        core.replay(changes, checkpoint, place)
        simulation = cls.__new__(cls)
        simulation._start(core)
        return simulation

    # Output

    @contextlib.contextmanager
    def record(self, folder: Union[str, os.PathLike], force: bool = False) -> Iterator[None]:
        """Within this context every step is written to a run folder: frames, tables, checkpoints, as by `bulwark run`.
        `bulwark view`, `render` and `check` work on it. A folder that has the results of a run is refused, unless `force`
        says to replace them."""
        if self._recording is not None:
            raise InputError("record: this simulation is being recorded already", "record")
        self._recording = recording = _bulwark.Recording(self._core, os.fspath(folder), force)
        try:
            yield
        except SolveError as error:
            recording.finish("failed", str(error))
            raise
        except BaseException:
            recording.finish("interrupted", "")
            raise
        else:
            recording.finish("done", "")
        finally:
            self._recording = None

    # The scene

    @property
    def scene(self) -> dict:
        """The scene as it was at the start, with all defaults."""
        return json.loads(self._core.resolved)

    @property
    def derived(self) -> dict:
        """Values derived from the scene at its start: its length (m), the contact distance (m), the speed below which
        friction sticks, and the solver's tolerance (m/s). They stay when bodies are added."""
        return self._core.derived

    def __repr__(self) -> str:
        return f"<Simulation of {self._core.body_count()} bodies, step {self.step_count}, t = {self.time:.6g} s>"
