#!/usr/bin/env python3
# %% [markdown]
# A gym-style loop: an agent pushes a puck to a target by forces. Its policy has two numbers, a spring and a damper,
# and learns them by random search. `--short` tries fewer.

# %%
import sys

import numpy

import bulwark

SHORT = "--short" in sys.argv

# %% [markdown]
# The environment: `act` sets a force, `observe` gives the offset from the target and the velocity. `randomize` puts the
# puck elsewhere in every episode, by the environment's own random numbers: the same seed gives the same episodes.

# %%
SCENE = {
    "time": {"step": 0.01},
    "materials": {"steel": {"model": "rigid", "density": 7800}},
    "contact": {"friction": 0.1, "distance": 1e-3},
    "bodies": [
        {"name": "floor", "kind": "obstacle", "shape": {"plane": {"normal": [0, 1, 0]}}},
        {"name": "puck", "kind": "rigid", "shape": {"box": [0.1, 0.03, 0.1]}, "material": "steel"},
    ],
}


class PushToTarget(bulwark.Env):
    def randomize(self, scene):
        x, z = self.random.uniform(-0.3, 0.3, 2)
        scene["bodies"][1]["position"] = [x, 0.0155, z]

    def act(self, action):
        push = numpy.clip(action, -20, 20)
        self.simulation["puck"].force = [push[0], 0, push[1]]

    def observe(self):
        puck = self.simulation["puck"]
        return numpy.concatenate([puck.position[[0, 2]], puck.velocity[[0, 2]]])

    def reward(self):
        return -numpy.linalg.norm(self.observe()[:2])

    def terminated(self):
        return bool(numpy.linalg.norm(self.observe()) < 0.01)


# %% [markdown]
# One episode: the loop of every Gymnasium example.


# %%
def total_reward(env, policy, seed):
    spring, damper = policy
    observation, _ = env.reset(seed=seed)
    total, done = 0.0, False
    while not done:
        action = -spring * observation[:2] - damper * observation[2:]
        observation, reward, terminated, truncated, _ = env.step(action)
        total += reward
        done = terminated or truncated
    return total


# %%
env = PushToTarget(SCENE, steps_per_action=5, max_actions=10 if SHORT else 40)
random = numpy.random.default_rng(0)
best, best_total = numpy.array([10.0, 0.0]), -numpy.inf
for trial in range(3 if SHORT else 15):
    policy = best if trial == 0 else numpy.abs(best + random.normal(0, 15, 2))
    total = sum(total_reward(env, policy, seed) for seed in range(1 if SHORT else 2))
    if total > best_total:
        best, best_total = policy, total
        print(f"trial {trial:2}: spring {best[0]:6.2f} N/m, damper {best[1]:6.2f} N s/m, total reward {total:.3f}")
