"""Exceptions. Each has the sentence of the library and its status."""
from ._library import ffi, library


class Error(Exception):
    """Something failed in simtlab. status: the number of enum simtlab_status."""

    status = None


class Failed(Error):
    """A kernel or a program has reported failure."""


class UsageError(Error):
    """An argument, a configuration, a program or a file is not valid."""


class Fault(Error):
    """The program did something that the machine cannot do. place: a dictionary of what is known about it."""

    place = None


class LimitReached(Error):
    """The run has reached its limit of cycles."""


class InternalError(Error):
    """An error of simtlab itself, or no memory."""


_CLASSES = {
    library.SIMTLAB_FAILED: Failed,
    library.SIMTLAB_USAGE: UsageError,
    library.SIMTLAB_FAULT: Fault,
    library.SIMTLAB_LIMIT: LimitReached,
}


def of_status(status, text):
    """The exception of a status of the library or the command."""
    raised = _CLASSES.get(status, InternalError)(text)
    raised.status = status
    return raised


def new_error():
    """A struct simtlab_error to pass to a function."""
    return ffi.new("struct simtlab_error *")


def check(status, error, accepted=()):
    """Raises the exception of a status, unless it is SIMTLAB_OK or accepted. Returns the status."""
    if status == library.SIMTLAB_OK or status in accepted:
        return status
    raise of_status(status, ffi.string(error.text).decode(errors="replace"))


def check_pointer(pointer, error):
    """Raises if a function has returned NULL."""
    if pointer == ffi.NULL:
        check(error.status, error)
    return pointer
