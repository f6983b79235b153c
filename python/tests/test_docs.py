"""Every example of docs/python.md runs, in its order; types of the package agree with the module."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def blocks() -> list[tuple[int, str]]:
    text = PAGE.read_text()
    found = re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(text[: m.start()].count("\n") + 2, m[1]) for m in found]


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    assert len(blocks()) >= 10
    for line, code in blocks():
        # Lines of a failure are those of the page.
        exec(compile("\n" * (line - 1) + code, str(PAGE), "exec"), names)
    for picture in ("ball.png", "slide.png"):
        assert os.path.getsize(picture) > 1000
