"""Scenes: what a scene file says, as Python objects. The checks are those of the file's loader."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Mapping, Optional, Union

import numpy

from . import _bulwark
from .errors import InputError

Json = Any
"""Numbers, strings, lists and dicts, and numpy arrays, which stand for lists."""


def to_json(value: Json) -> str:
    """JSON text of a value that may hold numpy arrays and numbers."""

    def plain(item: object) -> object:
        if isinstance(item, (numpy.ndarray, numpy.generic)):
            return item.tolist()
        if isinstance(item, os.PathLike):
            return os.fspath(item)
        raise InputError(f"{item!r}: this can't be part of a scene\n  use numbers, strings, lists and dicts", repr(item))

    return json.dumps(value, default=plain)


class Scene(dict):
    """A scene, with the keys of the scene file.

    A dict to begin with, keys by name, or both; the required keys have defaults::

        scene = bulwark.Scene(time={"step": 0.01, "steps": 100})
        scene.add_material("steel", model="rigid", density=7800)
        scene.add_body(name="ball", kind="rigid", shape={"sphere": 0.1}, material="steel")

    Nothing is checked here: `Simulation` does, by the same schema as the command line. How long it lasts may be left
    out: `Simulation.run` then does 100 steps.
    """

    def __init__(self, keys: Optional[Mapping[str, Json]] = None, *, folder: Union[str, os.PathLike, None] = None,
                 name: str = "scene", **more: Json) -> None:
        super().__init__({"bulwark": 1, "time": {}, "bodies": []})
        self.update(keys or {})
        self.update(more)
        self.folder = os.fspath(folder) if folder is not None else ""
        """Mesh files are relative to this folder."""
        self.name = name
        """What messages call this scene."""

    def add_body(self, **keys: Json) -> dict:
        """Adds a body with the keys of the scene file (name, kind, shape, material, position...), and returns it."""
        self.setdefault("bodies", []).append(keys)
        return keys

    def add_material(self, name: str, **keys: Json) -> None:
        """Adds a material with the keys of the scene file (model, density, young...)."""
        self.setdefault("materials", {})[name] = keys

    def copy(self) -> "Scene":
        """A deep copy."""
        return Scene(json.loads(to_json(self)), folder=self.folder, name=self.name)

    def to_json(self) -> str:
        """The text that a scene file of it would have, on one line."""
        whole = dict(self)
        time = whole.get("time")
        if isinstance(time, dict) and "steps" not in time and "duration" not in time:
            whole["time"] = {**time, "steps": 100}
        return to_json(whole)

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the scene as a file for the command line. Paths of meshes stay as they are."""
        Path(path).write_text(json.dumps(json.loads(self.to_json()), indent=2) + "\n", encoding="utf-8")


def load(scene: Union[str, os.PathLike]) -> Scene:
    """Reads a scene file, or a scene that comes with Bulwark by its name (such as "multibody/quickstart")."""
    path = find_scene(scene)
    text = path.read_text(encoding="utf-8")
    return Scene(json.loads(_bulwark.plain_json(text, str(path))), folder=path.parent, name=str(path))


def scenes_folder() -> Path:
    """Where the scenes that come with Bulwark lie: beside the installed package, or in the source tree."""
    for parent in Path(__file__).resolve().parents:
        shared = parent / "share" / "bulwark" / "scenes"
        if shared.is_dir():
            return shared
    return Path(_bulwark.source_scenes)


def scenes() -> list[str]:
    """Names of the scenes that come with Bulwark, for `load`."""
    folder = scenes_folder()
    return sorted(str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.json"))


def find_scene(scene: Union[str, os.PathLike]) -> Path:
    """The scene file: a path, or the name of a scene that comes with Bulwark."""
    given = Path(scene)
    for path in (given, scenes_folder() / given, scenes_folder() / f"{given}.json"):
        if path.is_file():
            return path
    place, remedy = str(scene), "bulwark.scenes() lists the shipped ones"
    raise InputError(f"{place}: there is no such scene file, and no shipped scene of that name\n  {remedy}", place,
                     remedy)
