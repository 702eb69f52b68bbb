"""The helper with the interface of Gymnasium."""

import numpy
from conftest import FLOOR, box, small_scene

import bulwark


class Push(bulwark.Env):
    def act(self, action):
        self.simulation["puck"].force = [action, 0, 0]

    def observe(self):
        return self.simulation["puck"].position

    def reward(self):
        return self.simulation["puck"].position[0]

    def terminated(self):
        return self.simulation["puck"].position[0] > 0.02


class RandomPush(Push):
    def randomize(self, scene):
        scene["bodies"][1]["position"] = [0, 0.11 + self.random.uniform(0, 0.1), 0]


def scene():
    return small_scene([FLOOR, box("puck", [0, 0.102, 0])])


def test_episodes_begin_alike_and_end():
    env = Push(scene(), steps_per_action=2, max_actions=50)
    runs = []
    for _ in range(2):
        first, info = env.reset(seed=1)
        assert info == {}
        rewards, done = [], False
        while not done:
            observation, reward, terminated, truncated, info = env.step(500.0)
            rewards.append(reward)
            done = terminated or truncated
        assert terminated and not truncated and info["report"].step == 2 * len(rewards)
        runs.append(rewards)
    assert runs[0] == runs[1]
    env.reset()
    assert not env.simulation["puck"].force.any()


def test_episodes_are_cut():
    env = Push(scene(), max_actions=2)
    env.reset()
    assert [env.step(0.0)[3] for _ in range(2)] == [False, True]


def test_the_seed_decides_the_random_start():
    env = RandomPush(scene())
    starts = [env.reset(seed=s)[0].copy() for s in (1, 2, 1)]
    assert (starts[0] == starts[2]).all() and (starts[0] != starts[1]).any()
    assert (env.reset()[0] != starts[2]).any()


def test_a_world_that_an_episode_changed_begins_anew():
    env = Push(scene())
    env.reset()
    env.simulation.add_body(**box("other", [3, 1, 0]))
    observation, _ = env.reset()
    assert "other" not in env.simulation and numpy.allclose(observation, [0, 0.102, 0])
