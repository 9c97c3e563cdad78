"""simtlab from Python: machines, programs, devices, PTX modules and studies.

>>> import simtlab
>>> device = simtlab.Machine("simtight", lanes=16).device()
>>> device.run(simtlab.Program("saxpy.elf"))
0
>>> device.counters()["cycles"]
"""
from ._library import ffi, library
from .device import COMMIT, Device, Machine, Module, Program, View, compile, machines
from .errors import Error, Failed, Fault, InternalError, LimitReached, UsageError
from .study import plot, runs, sweep

__version__ = ffi.string(library.simtlab_version()).decode()
__all__ = ["COMMIT", "Device", "Error", "Failed", "Fault", "InternalError", "LimitReached", "Machine", "Module", "Program",
           "UsageError", "View", "compile", "machines", "plot", "runs", "sweep"]
