"""A body of a simulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Sequence, Union

import numpy

from .errors import InputError
from .joint import Wrench

if TYPE_CHECKING:
    from .simulation import Simulation

Vector = Union[Sequence[float], numpy.ndarray]


class Body:
    """A body: where it is, how it moves, what acts on it.

    Numbers are read as the simulation stands now. Setting `position`, `rotation`, `quaternion`, `velocity` or
    `angular_velocity` takes effect at once; where the body would touch another, IntersectionError is raised and
    nothing changes. Lengths are in m, forces in N, angles in radians.
    """

    def __init__(self, simulation: "Simulation", identity: int) -> None:
        self.simulation = simulation
        self._id = identity

    @property
    def index(self) -> int:
        """Its number among the bodies, as in `contacts()`; changes when bodies before it are removed."""
        index = self.simulation._core.index_of(self._id)
        if index < 0:
            raise InputError("body: it was removed from the simulation", "body")
        return index

    def _info(self) -> dict:
        return self.simulation._core.body_info(self.index)

    @property
    def exists(self) -> bool:
        """False after it was removed."""
        return self.simulation._core.index_of(self._id) >= 0

    @property
    def name(self) -> str:
        """Its name."""
        return self._info()["name"]

    @property
    def kind(self) -> str:
        """deformable, affine, rigid, obstacle..."""
        return self._info()["kind"]

    @property
    def mass(self) -> float:
        """Its mass (kg); 0 for obstacles."""
        return self._info()["mass"]

    @property
    def controls(self) -> slice:
        """Its rows in `Simulation.positions`, `velocities` and `control_forces`: nodes of a soft body; center of mass
        and the columns of the matrix A of a stiff one."""
        return slice(*self._info()["controls"])

    @property
    def vertex_range(self) -> slice:
        """Its rows in `Simulation.vertices()`."""
        return slice(*self._info()["vertices"])

    @property
    def nodes(self) -> numpy.ndarray:
        """Its rows of `Simulation.positions`: a view."""
        return self.simulation.positions[self.controls]

    @property
    def vertices(self) -> numpy.ndarray:
        """Positions of its surface's vertices, (n, 3)."""
        return self.simulation.vertices()[self.vertex_range]

    @property
    def position(self) -> numpy.ndarray:
        """Its center of mass."""
        return self.simulation._core.body_motion(self.index)[0]

    @position.setter
    def position(self, value: Vector) -> None:
        self.move(position=value)

    @property
    def rotation(self) -> numpy.ndarray:
        """Its orientation since the start, a 3x3 matrix; of a soft body the rotation that fits best."""
        return self.simulation._core.body_motion(self.index)[1]

    @rotation.setter
    def rotation(self, value: numpy.ndarray) -> None:
        self.move(rotation=value)

    @property
    def quaternion(self) -> numpy.ndarray:
        """The same as w, x, y, z with w >= 0."""
        return self.simulation._core.poses()[self.index, 3:]

    @quaternion.setter
    def quaternion(self, value: Vector) -> None:
        self.move(rotation=matrix_of(value))

    @property
    def velocity(self) -> numpy.ndarray:
        """Velocity of its center of mass (m/s)."""
        return self.simulation._core.body_motion(self.index)[2]

    @velocity.setter
    def velocity(self, value: Vector) -> None:
        self.move(velocity=value)

    @property
    def angular_velocity(self) -> numpy.ndarray:
        """Angular velocity in world axes (rad/s)."""
        return self.simulation._core.body_motion(self.index)[3]

    @angular_velocity.setter
    def angular_velocity(self, value: Vector) -> None:
        self.move(angular_velocity=value)

    def move(self, *, position: Optional[Vector] = None, rotation: Optional[numpy.ndarray] = None,
             velocity: Optional[Vector] = None, angular_velocity: Optional[Vector] = None) -> None:
        """Sets what is given in one change: with several of them, only the result is checked."""
        self.simulation._core.move_body(self.index, position, rotation, velocity, angular_velocity)

    @property
    def force(self) -> numpy.ndarray:
        """The force that acts on it from the next step on, until it is set again (N): at the center of mass of a
        stiff body, in equal shares on the nodes of a soft one. In addition to gravity and the scene's own forces."""
        return self.simulation._core.applied(self.index)[0]

    @force.setter
    def force(self, value: Vector) -> None:
        self.simulation._core.apply(self.index, value, None)

    @property
    def torque(self) -> numpy.ndarray:
        """The torque in world axes that acts on it until it is set again (N m); stiff bodies only."""
        return self.simulation._core.applied(self.index)[1]

    @torque.setter
    def torque(self, value: Vector) -> None:
        self.simulation._core.apply(self.index, None, value)

    @property
    def contact_force(self) -> numpy.ndarray:
        """The sum of its contact and friction forces (N)."""
        return self.simulation._core.vertex_contact_forces()[self.vertex_range].sum(axis=0)

    @property
    def contact_wrench(self) -> Wrench:
        """All its contact and friction forces: their sum, and their torque about its center of mass (of an obstacle,
        the middle of its vertices)."""
        return Wrench(*self.simulation._core.contact_wrench(self.index))

    @property
    def reaction(self) -> Wrench:
        """The reaction that held it in the last step, where it is `fixed` or follows a motion: force and torque on the
        body, inertia included, about the middle of all points that are held; of a stiff body about its center of mass, of an obstacle
        about the middle of its vertices. Zero for a body that nothing holds, and before the first step."""
        return Wrench(*self.simulation._core.reaction(self.index))

    @property
    def reactions(self) -> list[Wrench]:
        """The same of each held part, in the order of the scene; none for obstacles."""
        return [Wrench(*wrench) for wrench in self.simulation._core.reactions(self.index)]

    def remove(self) -> None:
        """Removes it from the simulation."""
        self.simulation.remove(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Body) and other.simulation is self.simulation and other._id == self._id

    def __hash__(self) -> int:
        return hash((id(self.simulation), self._id))

    def __repr__(self) -> str:
        return f"<Body '{self.name}' ({self.kind})>" if self.exists else "<Body, removed>"


def matrix_of(quaternion: Vector) -> numpy.ndarray:
    """The rotation matrix of w, x, y, z (of any length but zero)."""
    q = numpy.asarray(quaternion, dtype=float)
    if q.shape != (4,) or not numpy.isfinite(q).all() or not numpy.linalg.norm(q) > 0:
        raise InputError("quaternion: this is none\n  give four finite numbers w, x, y, z", "quaternion",
                         "give four finite numbers w, x, y, z")
    w, x, y, z = q / numpy.linalg.norm(q)
    return numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
