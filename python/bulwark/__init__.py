"""Bulwark: multibody simulation whose results never contain two surfaces that pass through each other.

    import bulwark
    simulation = bulwark.Simulation("multibody/quickstart")
    report = simulation.step()
    print(report.contacts, simulation.positions)
"""

try:
    import numpy as _numpy  # noqa: F401
except ModuleNotFoundError as error:
    if error.name != "numpy":
        raise
    raise ImportError("bulwark needs numpy, which this Python does not have: pip install numpy "
                      "(Debian: apt install python3-numpy)", name="numpy") from None

from . import _processor

if _processor.missing_instructions():
    raise ImportError(_processor.missing_instructions())

from ._bulwark import State, StepReport, schema
from ._bulwark import version as __version__
from .body import Body
from .env import Env
from .errors import Error, InputError, IntersectionError, OutputError, SolveError
from .joint import Joint, Wrench
from .scene import Scene, load, scenes, scenes_folder
from .simulation import Simulation

__all__ = ["Body", "Env", "Error", "InputError", "IntersectionError", "Joint", "OutputError", "Scene", "Simulation",
           "SolveError", "State", "StepReport", "Wrench", "__version__", "load", "scenes", "scenes_folder", "schema"]
