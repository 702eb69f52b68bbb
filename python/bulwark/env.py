"""A base for environments of reinforcement learning, with the interface of Gymnasium and without needing it."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

import numpy

from .scene import Json, Scene, load
from .simulation import Simulation


class Env:
    """A scene with actions, observations and a reward.

    Subclasses say what these are::

        class Push(bulwark.Env):
            def act(self, action):
                self.simulation["puck"].force = [action[0], 0, action[1]]

            def observe(self):
                return self.simulation["puck"].position

            def reward(self):
                return -numpy.linalg.norm(self.simulation["puck"].position)

    `steps_per_action` time steps are done for every action; an episode is cut after `max_actions`.
    """

    def __init__(self, scene: Union[Scene, Mapping[str, Json], str], *, steps_per_action: int = 1,
                 max_actions: Optional[int] = None) -> None:
        if isinstance(scene, str):
            scene = load(scene)
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self.steps_per_action = steps_per_action
        self.max_actions = max_actions
        self.random = numpy.random.default_rng()
        """The environment's random numbers; `reset(seed)` restarts them."""
        self.actions = 0
        self.simulation: Simulation
        self._start: Any = None

    # What subclasses say

    def randomize(self, scene: Scene) -> None:
        """May change the scene of the next episode, by `self.random`. If not overridden, all episodes begin alike, which
        is quicker."""

    def begin(self) -> None:
        """Called when an episode begins, with `self.simulation` ready."""

    def act(self, action: Any) -> None:
        """Sets forces, or whatever the action means, before its time steps."""
        raise NotImplementedError

    def observe(self) -> Any:
        """What the agent sees."""
        raise NotImplementedError

    def reward(self) -> float:
        """The reward of the last action."""
        return 0.0

    def terminated(self) -> bool:
        """Whether the episode has reached its end."""
        return False

    # What agents call

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> tuple[Any, dict]:
        """Begins an episode; returns the observation and a dict of further information."""
        if seed is not None:
            self.random = numpy.random.default_rng(seed)
        self.actions = 0
        if type(self).randomize is not Env.randomize:
            scene = self.scene.copy()
            self.randomize(scene)
            self.simulation = Simulation(scene)
        elif self._start is None or self.simulation._core.changes():
            self.simulation = Simulation(self.scene)
            self._start = self.simulation.state()
        else:
            self.simulation.restore(self._start)
            self.simulation.control_forces[:] = 0
            for body in self.simulation.bodies:
                body.force = numpy.zeros(3)
                if body.kind in ("affine", "rigid"):
                    body.torque = numpy.zeros(3)
        self.begin()
        return self.observe(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict]:
        """One action: returns observation, reward, terminated, truncated, information (the last step's report)."""
        self.act(action)
        report = self.simulation.step(self.steps_per_action)
        self.actions += 1
        truncated = self.max_actions is not None and self.actions >= self.max_actions
        return self.observe(), float(self.reward()), bool(self.terminated()), truncated, {"report": report}

    def close(self) -> None:
        """Does nothing; part of the interface."""
