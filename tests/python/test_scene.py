"""Scenes from Python have the names, defaults and errors of the scene file."""

import json
import os
import subprocess
import sys

import numpy
import pytest
from conftest import FLOOR, box, small_scene

import bulwark


def test_a_scene_is_built_by_the_names_of_the_file():
    scene = bulwark.Scene(time={"step": 0.02, "duration": 0.1})
    scene.add_material("steel", model="rigid", density=numpy.float64(7800))
    scene.add_body(name="b", kind="rigid", shape={"box": numpy.ones(3)}, material="steel", position=(0, 1, 0))
    simulation = bulwark.Simulation(scene)
    assert simulation["b"].mass == pytest.approx(7800)
    assert simulation.scene["time"]["integrator"] == "implicit-euler"
    assert simulation.time_step == 0.02
    assert simulation.run().step == 5


def test_a_scene_file_and_its_loaded_form_move_alike(tmp_path):
    small_scene().save(tmp_path / "scene.json")
    given, loaded = bulwark.Simulation(tmp_path / "scene.json"), bulwark.Simulation(bulwark.load(tmp_path / "scene.json"))
    given.step(3)
    loaded.step(3)
    assert (given.positions == loaded.positions).all()


def test_shipped_scenes_load_by_name_with_comments():
    assert "multibody/quickstart" in bulwark.scenes()
    scene = bulwark.load("multibody/quickstart")
    scene["time"]["steps"] = 1
    scene["time"].pop("duration", None)
    assert bulwark.Simulation(scene).run().step == 1


def test_overrides_change_values_by_json_pointer():
    assert bulwark.Simulation(small_scene(), overrides={"/time/step": 0.005}).time_step == 0.005


def test_a_misspelt_key_is_answered_as_on_the_command_line(tmp_path):
    scene = small_scene()
    scene["bodies"][1]["positon"] = [0, 1, 0]
    with pytest.raises(bulwark.InputError) as caught:
        bulwark.Simulation(scene)
    assert "scene: /bodies/1" in str(caught.value) and "did you mean" in str(caught.value)
    assert caught.value.place == "scene: /bodies/1/positon"
    assert "position" in caught.value.remedy
    assert caught.value.exit_code == 2
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(scene, indent=1))
    with pytest.raises(ValueError, match=r"bad\.json:\d+: /bodies/1/positon"):
        bulwark.Simulation(file)


def test_what_is_no_scene_is_refused():
    for bad in [{"time": {"step": float("nan")}}, {"bulwark": 2}, {"time": {"step": "x"}}, {"bodies": 3}]:
        with pytest.raises(bulwark.InputError):
            bulwark.Simulation(bad)
    with pytest.raises(bulwark.InputError, match="can't be part of a scene"):
        bulwark.Simulation({"title": object()})
    with pytest.raises(bulwark.InputError, match="no such scene file"):
        bulwark.Simulation("no/such")


def test_a_start_that_intersects_names_the_pair():
    scene = small_scene([FLOOR, box("a", [0, 0.2, 0]), box("b", [0.1, 0.25, 0.05])])
    with pytest.raises(bulwark.IntersectionError, match="'[ab]' is .* m deep in '[ab]': move '[ab]' by at least") as caught:
        bulwark.Simulation(scene)
    assert "by at least" in caught.value.remedy
    assert caught.value.exit_code == 4


def test_the_schema_is_that_of_the_library():
    assert "bodies" in json.loads(bulwark.schema())["properties"]


def test_without_numpy_the_import_says_so():
    program = "import sys; sys.modules['numpy'] = None; import bulwark"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)})
    assert result.returncode != 0
    assert "ImportError: bulwark needs numpy" in result.stderr
    assert "pip install numpy" in result.stderr
