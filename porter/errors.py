"""What can go wrong, and the exit code each kind of failure gives.

    PorterError                 exit 2: porter could not do what was asked
    ├── InputError              a path that is missing, unreadable, binary or holds no CUDA
    ├── UsageError              options that contradict each other or cannot be read
    ├── RuleError               a rule or name table that is malformed
    ├── NotHere                 a case that cannot be run on this machine: NOT RUN, neither a pass nor a failure
    ├── OutputError             a port or report that could not be written (full disk, permissions)
    └── CompileError            a source that the compiler, assembler or linker refused, with its own text
        └── UnfinishedError     one that it had not read to its end when its time was over

Exit codes are part of the interface (README lists them):
    0  everything was ported
    1  ported, with places left for a person
    2  could not: at least one input was not ported at all
    130  interrupted with Ctrl-C
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "EXIT_FAILED",
    "EXIT_INTERRUPTED",
    "EXIT_LEFT",
    "EXIT_OK",
    "CompileError",
    "InputError",
    "OutputError",
    "PorterError",
    "RuleError",
    "UnfinishedError",
    "UsageError",
]

EXIT_OK = 0
EXIT_LEFT = 1
EXIT_FAILED = 2
EXIT_INTERRUPTED = 130


class PorterError(Exception):
    """One line that names the file and the cause, and a second that names the fix."""

    def __init__(self, problem: str, fix: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.fix = fix

    @property
    def line(self) -> str:
        """Both in one line, as the reason of a verdict."""
        return f"{self.problem}; {self.fix}" if self.fix else self.problem


class InputError(PorterError):
    pass


class UsageError(PorterError):
    pass


class RuleError(PorterError):
    pass


class NotHere(PorterError):
    pass


class OutputError(PorterError):
    pass


class CompileError(PorterError):
    """`text` is all that the compiler wrote, `command` what was run."""

    def __init__(self, problem: str, text: str, command: Sequence[str], fix: str = "") -> None:
        super().__init__(problem, fix)
        self.text = text
        self.command = tuple(command)


class UnfinishedError(CompileError):
    pass
