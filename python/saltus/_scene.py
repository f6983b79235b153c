"""Scenes: built in code or loaded from TOML. docs/scene.md lists the keys; they are the same here."""

from __future__ import annotations

import copy
import json
import math
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from . import _saltus


def _to_toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if math.isnan(value):
            return "nan"
        return ("inf" if value > 0 else "-inf") if math.isinf(value) else repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, os.PathLike):
        return json.dumps(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(k))} = {_to_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_to_toml, value)) + "]"
    if hasattr(value, "tolist"):  # numbers and arrays of NumPy
        return _to_toml(value.tolist())
    raise _saltus.InputError(f"a value of the type: got {type(value).__name__}, allowed: a number, text, list or dictionary")


def _options(overrides: Mapping[str, Any] | None, keywords: Mapping[str, Any]) -> list[str]:
    """Overrides as ``--set`` takes them; ``a__b`` in a keyword is the key ``a.b``."""
    given = dict(overrides or {})
    given.update({key.replace("__", "."): value for key, value in keywords.items()})
    return [f"{key}={_to_toml(value)}" for key, value in given.items()]


class Scene:
    """A scene as nested dictionaries and lists, under the keys of docs/scene.md.

    ``Scene(dimension=2, gravity=[0, -9.81], law={"friction": 0.5})`` starts one; ``scene["scheme"]`` and so on are plain
    values to read and change; ``add`` appends to the lists (bodies, joints, generate...). Mistakes are `InputError`, told
    when a `Simulation` is made or `check` is called, with the path of the key, or the place in the file it came from.
    """

    def __init__(self, values: Mapping[str, Any] | None = None, /, **keys: Any) -> None:
        self.values: dict[str, Any] = copy.deepcopy(dict(values or {}))
        self.values.update(copy.deepcopy(keys))
        self.path = "scene"  # its folder is where files that the scene names are looked for
        self._origin: tuple[dict[str, Any], str, list[str]] | None = None  # values as read, text, overrides

    @classmethod
    def from_toml(
        cls, text: str, path: str = "scene", overrides: Mapping[str, Any] | None = None, **keys: Any
    ) -> Scene:
        """From the text of a TOML file; ``path`` stands in messages."""
        options = _options(overrides, keys)
        scene = cls()
        scene.path = path
        scene.values = tomllib.loads(_saltus.override_text(text, path, options))
        scene._origin = (copy.deepcopy(scene.values), text, options)
        return scene

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.values[key] = value

    def __delitem__(self, key: str) -> None:
        del self.values[key]

    def __contains__(self, key: object) -> bool:
        return key in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.values == other.values

    def __repr__(self) -> str:
        title = self.values.get("title") or self.path
        return f"<saltus.Scene {title!r}, dimension {self.values.get('dimension')}>"

    def add(self, list_name: str, /, **keys: Any) -> dict[str, Any]:
        """Appends a table to one of the lists (``bodies``, ``joints``, ``generate``, ``measures``...) and returns it."""
        entries = self.values.setdefault(list_name, [])
        if not isinstance(entries, list):
            raise _saltus.InputError(f'{list_name}: got a single value, allowed: a list (use scene["{list_name}"])')
        entries.append(copy.deepcopy(keys))
        return entries[-1]  # type: ignore[no-any-return]

    def add_body(self, **keys: Any) -> dict[str, Any]:
        """Appends a body, as ``[[bodies]]`` in TOML: ``name``, ``shape``, ``position`` (m), ``velocity`` (m/s)..."""
        return self.add("bodies", **keys)

    def add_joint(self, **keys: Any) -> dict[str, Any]:
        """Appends a joint, as ``[[joints]]`` in TOML."""
        return self.add("joints", **keys)

    def set(self, key: str, value: Any) -> Scene:
        """Sets one key by its path: ``scene.set("bodies.0.shape.radius", 0.1)``. Tables on the way are made. Returns self."""
        words = key.split(".")
        at: Any = self.values
        for word, following in zip(words[:-1], words[1:]):
            at = self._enter(at, word, key, {} if not following.isdigit() else [])
        if isinstance(at, list):
            at[self._index(at, words[-1], key)] = value
        elif isinstance(at, dict):
            at[words[-1]] = value
        else:
            raise _saltus.InputError(f'{key}: "{words[-1]}" is looked for inside a single value')
        return self

    @staticmethod
    def _index(at: list[Any], word: str, key: str) -> int:
        index = int(word) if word.isdigit() else -1
        if index == len(at):
            at.append({})
        if not 0 <= index < len(at):
            raise _saltus.InputError(f'{key}: element of an array: got "{word}", allowed: a whole number from 0 to {len(at)}')
        return index

    @classmethod
    def _enter(cls, at: Any, word: str, key: str, empty: Any) -> Any:
        if isinstance(at, list):
            return at[cls._index(at, word, key)]
        if isinstance(at, dict):
            return at.setdefault(word, empty)
        raise _saltus.InputError(f'{key}: "{word}" is looked for inside a single value')

    def copy(self, overrides: Mapping[str, Any] | None = None, /, **keys: Any) -> Scene:
        """A deep copy, with some keys changed: ``scene.copy({"scheme.h": 1e-4})`` or ``scene.copy(scheme__h=1e-4)``."""
        twin = copy.deepcopy(self)
        for key, value in {**(overrides or {}), **{k.replace("__", "."): v for k, v in keys.items()}}.items():
            twin.set(key, copy.deepcopy(value))
        return twin

    def to_toml(self) -> str:
        """The scene as the text of a TOML file."""
        return _saltus.format_dict(self.values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `to_toml` to a file, which ``saltus run`` and `load` take."""
        Path(path).write_text(self.to_toml() + "\n", encoding="utf-8")

    def check(self) -> dict[str, Any]:
        """What a run would do, without doing it, as ``saltus check`` prints it; ``["warnings"]`` is a list. InputError."""
        return self._read().check()

    def _read(self) -> _saltus.SceneData:
        # As it was in its file: messages then tell the line.
        if self._origin is not None and self.values == self._origin[0]:
            return _saltus.parse_scene(self._origin[1], self.path, self._origin[2])
        return _saltus.read_dict(self.values, self.path)


def load(name: str | os.PathLike[str], overrides: Mapping[str, Any] | None = None, /, **keys: Any) -> Scene:
    """A scene from a TOML file, or by its name in the library, with some keys changed.

    ``load("bouncing-ball-2d", {"scheme.h": 1e-4})`` and ``load("bouncing-ball-2d", scheme__h=1e-4)`` are the same.
    Raises `InputError`, as ``saltus run --set`` would.
    """
    path = _saltus.find_scene(os.fspath(name))
    return Scene.from_toml(_saltus.load_text(path), path, overrides, **keys)


def library() -> dict[str, str]:
    """The scenes of the library: names, and what they are."""
    return {name: title for name, title, _ in _saltus.list_library()}


def as_scene(scene: Scene | str | os.PathLike[str] | Mapping[str, Any]) -> Scene:
    """A scene from whatever stands for one: itself, a file or name, or its values."""
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, Mapping):
        return Scene(scene)
    if isinstance(scene, (str, os.PathLike)):
        return load(scene)
    raise TypeError(f"a scene: got {type(scene).__name__}, allowed: a Scene, a file or name, a dictionary")
