"""Builds the package by CMake, in the tree of `make build`: objects that are there are not compiled again."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
TREE = Path(os.environ.get("SALTUS_BUILD", ROOT / "build" / "release"))


class BuildByCMake(build_ext):
    """Compiles module and program, and installs the package to where setuptools collects it."""

    def run(self) -> None:
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        options = ["-DSALTUS_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
        if not (TREE / "CMakeCache.txt").exists():
            options += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(TREE), *options], check=True)
        subprocess.run(["cmake", "--build", str(TREE), "-j", jobs, "--target", "_saltus", "saltus_app"], check=True)
        prefix = Path(self.build_lib).resolve()
        subprocess.run(["cmake", "--install", str(TREE), "--component", "python", "--prefix", str(prefix)], check=True)

    def get_outputs(self) -> list[str]:
        package = Path(self.build_lib) / "saltus"
        return [str(path) for path in package.rglob("*") if path.is_file()]


class BinaryDistribution(Distribution):
    """Its wheel is of one Python and one machine."""

    def has_ext_modules(self) -> bool:
        return True


version = re.search(r"project\(saltus VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
assert version is not None
(ROOT / "build").mkdir(exist_ok=True)
setup(
    version=version[1],
    packages=[],
    cmdclass={"build_ext": BuildByCMake},
    distclass=BinaryDistribution,
    options={"egg_info": {"egg_base": "build"}, "build": {"build_base": "build/setuptools"}},
)
