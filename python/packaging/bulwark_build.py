"""How pip builds Bulwark (PEP 517): CMake builds and installs, this puts the result into a wheel. Standard library only.

Settings, given as ``pip install . --config-settings KEY=VALUE``:
  build-dir   where CMake builds, to use again what is there; build/pip-PYTHON when not given
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
NAME = "bulwark"


def version() -> str:
    """CMakeLists.txt says it."""
    found = re.search(r"project\(bulwark VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text())
    assert found, "CMakeLists.txt names no version"
    return found.group(1)


def tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata() -> str:
    readme = (SOURCE / "README.md").read_text(encoding="utf-8")
    return "\n".join([
        "Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {version()}",
        "Summary: A multibody simulator whose results never contain two surfaces passing through each other",
        "License: Apache-2.0", "Requires-Python: >=3.9", "Requires-Dist: numpy",
        "Description-Content-Type: text/markdown", "", readme])


def run(*command: object) -> None:
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def build(settings: dict | None, staging: Path) -> None:
    """Builds module and program, and installs them and the scenes below `staging`."""
    folder = Path((settings or {}).get("build-dir") or SOURCE / "build" / f"pip-{sys.implementation.cache_tag}")
    if not (folder / "CMakeCache.txt").exists():
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        run("cmake", "-S", SOURCE, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DBULWARK_TESTS=OFF",
            f"-DBULWARK_PYTHON_EXECUTABLE={sys.executable}")
    run("cmake", "--build", folder, "--target", "bulwark_python", "bulwark_program", "--parallel")
    for component in ("program", "python"):
        run("cmake", "--install", folder, "--prefix", staging, "--component", component)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    if not list(staging.rglob(f"_bulwark{suffix}")):
        raise SystemExit(f"{folder} was built for another Python than {sys.executable}; use another build-dir")


class Wheel:
    """A wheel being written: a zip file with a record of what is in it."""

    def __init__(self, path: Path) -> None:
        self.archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info = f"{NAME}-{version()}.dist-info"
        self.record: list[str] = []

    def add(self, name: str, data: bytes, executable: bool = False) -> None:
        entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self) -> None:
        name = f"{self.info}/RECORD"
        self.archive.writestr(name, "\n".join([*self.record, f"{name},,", ""]))
        self.archive.close()


def wheel_info() -> str:
    return f"Wheel-Version: 1.0\nGenerator: bulwark_build\nRoot-Is-Purelib: false\nTag: {tag()}\n"


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: dict | None = None) -> str:
    folder = Path(metadata_directory) / f"{NAME}-{version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_info())
    return folder.name


def build_wheel(wheel_directory: str, config_settings: dict | None = None, metadata_directory: str | None = None) -> str:
    filename = f"{NAME}-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as temporary:
        staging = Path(temporary)
        build(config_settings, staging)
        wheel = Wheel(Path(wheel_directory) / filename)
        package = next(staging.rglob("_bulwark*.so")).parent
        for file in sorted(package.iterdir()):
            wheel.add(f"bulwark/{file.name}", file.read_bytes())
        # The program finds its scenes beside it, at ../share; so does the module.
        data = f"{NAME}-{version()}.data"
        wheel.add(f"{data}/scripts/bulwark", (staging / "bin" / "bulwark").read_bytes(), executable=True)
        for file in sorted((staging / "share").rglob("*")):
            if file.is_file():
                wheel.add(f"{data}/data/{file.relative_to(staging)}", file.read_bytes())
        wheel.add(f"{wheel.info}/METADATA", metadata().encode())
        wheel.add(f"{wheel.info}/WHEEL", wheel_info().encode())
        wheel.add(f"{wheel.info}/LICENSE", (SOURCE / "LICENSE").read_bytes())
        wheel.close()
    return filename


def build_sdist(sdist_directory: str, config_settings: dict | None = None) -> str:
    base = f"{NAME}-{version()}"
    files = subprocess.run(["git", "-C", SOURCE, "ls-files", "-z"], check=True, capture_output=True, text=True)
    with tarfile.open(Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in filter(None, files.stdout.split("\0")):
            archive.add(SOURCE / name, f"{base}/{name}")
        with tempfile.NamedTemporaryFile("w", delete=False) as file:
            file.write(metadata())
        archive.add(file.name, f"{base}/PKG-INFO")
        os.unlink(file.name)
    return f"{base}.tar.gz"
