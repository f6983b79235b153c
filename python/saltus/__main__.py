"""``python -m saltus`` is the command line: the program that came with the package, or the one on the path."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path


def main() -> int:
    own = Path(__file__).parent / "bin" / "saltus"
    program = str(own) if own.is_file() else shutil.which("saltus")
    if program is None:
        print("saltus: the program was not installed with the package", file=sys.stderr)
        return 1
    if hasattr(signal, "SIGPIPE"):  # Python ignores it, and the program would take a reader that left for a fault
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    os.execv(program, ["saltus", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
