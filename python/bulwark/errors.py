"""The exceptions of Bulwark. Their messages are those of the command line."""


class Error(RuntimeError):
    """Base of all. `place` is a file, a JSON path or a body, and `remedy` what to do about it, where they are known."""

    exit_code = 1

    def __init__(self, message: str, place: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.place = place
        self.remedy = remedy


class InputError(Error, ValueError):
    """Bad input: names the place, what is wrong, and what would be right."""

    exit_code = 2


class SolveError(Error):
    """A time step could not be solved, not even in parts. The simulation is as it was before the step."""

    exit_code = 3


class IntersectionError(Error):
    """Surfaces touch or pass through each other, at the start or after a change; the message names the pairs."""

    exit_code = 4


class OutputError(Error):
    """Output could not be written."""

    exit_code = 5
