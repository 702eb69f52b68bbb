"""A joint of a simulation, and wrenches: the forces of joints, supports and contacts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy

from .errors import InputError

if TYPE_CHECKING:
    from .simulation import Simulation


class Wrench(NamedTuple):
    """A force (N) and a torque (N m) about a point (m), in the world."""

    force: numpy.ndarray
    torque: numpy.ndarray
    point: numpy.ndarray

    def about(self, point: Any) -> "Wrench":
        """The same with its torque about another point."""
        other = numpy.asarray(point, dtype=float)
        return Wrench(self.force, self.torque + numpy.cross(self.point - other, self.force), other)


class Joint:
    """A joint, by name: what it does, and what its motor or spring is to do.

    Setting `target`, `speed`, `force`, `stiffness` or `max_force` takes effect in the next step and stays until it is
    set again; it replaces what the scene says, a time table included. `release` goes back to the scene. Steering a
    hinge or slider steers the motor that drives it; motors and springs have names of their own, which serve as well.
    What was set is part of `Simulation.state()`, of saved simulations and of checkpoints.

    Angles are in radians, lengths in m, torques in N m, forces in N; names that end in `_degrees` are in degrees.
    """

    def __init__(self, simulation: "Simulation", name: str) -> None:
        self.simulation = simulation
        self.name = name
        """Its name."""
        self._info()

    def _info(self) -> dict:
        return self.simulation._core.joint_info(self.name)

    def _driven(self, law: str) -> Optional[float]:
        info = self._info()
        return info["value"] if info.get("law") == law else None

    def _to_degrees(self, value: Optional[float], info: Optional[dict] = None) -> Optional[float]:
        if not (info or self._info())["angular"]:
            remedy = "leave `_degrees` out: it is in m"
            raise InputError(f"joint '{self.name}': it has no angle\n  {remedy}", f"joint '{self.name}'", remedy)
        return None if value is None else math.degrees(value)

    # What it does

    @property
    def exists(self) -> bool:
        """False after it was removed."""
        return self.name in self.simulation.joint_names

    @property
    def kind(self) -> str:
        """hinge, slider, spring, motor..."""
        return self._info()["kind"]

    @property
    def angular(self) -> bool:
        """Whether its coordinates are angles."""
        return self._info()["angular"]

    @property
    def bodies(self) -> tuple[str, str]:
        """The names of its bodies; "world" for the world."""
        return self._info()["bodies"]

    @property
    def coordinate(self) -> Optional[float]:
        """Its angle (rad, turns counted), or its position or length (m); of several the first, None where it has none."""
        own = self._info()["coordinates"]
        return own[0] if own else None

    @property
    def coordinate_degrees(self) -> Optional[float]:
        """Its angle in degrees."""
        return self._to_degrees(self.coordinate)

    @property
    def coordinates(self) -> list[float]:
        """All of them: two angles of a universal joint; twist, bend about y and bend about z of a cone-twist."""
        return self._info()["coordinates"]

    @property
    def rate(self) -> Optional[float]:
        """How fast `coordinate` changes now (rad/s or m/s)."""
        return self._info()["rate"]

    @property
    def reaction(self) -> Wrench:
        """Force and torque on its first body in the last step, about the joint's point; zero before the first step.
        For a motor, what the motor exerts."""
        return Wrench(*self._info()["reaction"])

    # What drives it

    @property
    def driven_by(self) -> Optional[str]:
        """Name of the motor or spring that steering it acts on; None where there is none, or more than one."""
        return self._info().get("driven_by")

    @property
    def target(self) -> Optional[float]:
        """Where its motor drives it (rad or m), or the rest angle or length of a spring; None while the motor follows a
        speed or a force. A motor is there at the end of the next step, unless `max_force` or a limit keeps it back: lead it
        there in small steps, or give it a `max_force`."""
        return self._driven("target")

    @target.setter
    def target(self, value: float) -> None:
        self.steer(target=value)

    @property
    def target_degrees(self) -> Optional[float]:
        """The same of an angle in degrees."""
        return self._to_degrees(self.target)

    @target_degrees.setter
    def target_degrees(self, value: float) -> None:
        self._to_degrees(0)
        self.steer(target=math.radians(value))

    @property
    def speed(self) -> Optional[float]:
        """The speed that its motor keeps (rad/s or m/s); None while it follows something else. `rate` is what it has."""
        return self._driven("speed")

    @speed.setter
    def speed(self, value: float) -> None:
        self.steer(speed=value)

    @property
    def speed_degrees(self) -> Optional[float]:
        """The same in degrees per second."""
        return self._to_degrees(self.speed)

    @speed_degrees.setter
    def speed_degrees(self, value: float) -> None:
        self._to_degrees(0)
        self.steer(speed=math.radians(value))

    @property
    def force(self) -> Optional[float]:
        """The torque (N m) or force (N) that its motor exerts along the coordinate, on the first body; None while it
        follows something else."""
        return self._driven("force")

    @force.setter
    def force(self, value: float) -> None:
        self.steer(force=value)

    @property
    def max_force(self) -> Optional[float]:
        """The largest torque or force (N m or N) of its motor towards a target or speed; infinity for no limit."""
        info = self._info()
        return info["max_force"] if "law" in info else None

    @max_force.setter
    def max_force(self, value: float) -> None:
        self.steer(max_force=value)

    @property
    def stiffness(self) -> Optional[float]:
        """Stiffness of its spring, or of its motor's hold on a target or speed (N m/rad or N/m); 0 for a motor whose
        stiffness follows from the time step."""
        info = self._info()
        return info["stiffness"] if "law" in info else None

    @stiffness.setter
    def stiffness(self, value: float) -> None:
        self.steer(stiffness=value)

    def steer(self, **values: float) -> None:
        """Sets several at once: `target`, `speed` or `force`, with `stiffness` and `max_force`. Raises InputError, and
        changes nothing, where no motor drives the joint or a value is invalid."""
        known = ("target", "speed", "force", "stiffness", "max_force")
        for key in values:
            if key not in known:
                remedy = f"there are: {', '.join(known)}"
                raise InputError(f"joint '{self.name}': it has no `{key}` to steer\n  {remedy}", f"joint '{self.name}'",
                                 remedy)
        self.simulation._core.steer(self.name, {key: float(value) for key, value in values.items()})

    def release(self) -> None:
        """Goes back to the scene's own time table and values."""
        self.simulation._core.release(self.name)

    def __repr__(self) -> str:
        return f"<Joint '{self.name}' ({self.kind})>" if self.exists else f"<Joint '{self.name}', removed>"
