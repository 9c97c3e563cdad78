"""simtlab from Python: machines, programs, devices, PTX modules and studies.

>>> import simtlab
>>> device = simtlab.Machine("simtight", lanes=16).device()
>>> device.run(simtlab.Program("saxpy.elf"))
0
>>> device.counters()["cycles"]
"""
from ._library import ffi, library
from .device import EVENT, KINDS, Device, Machine, Module, Program, View, compile, machines
from .errors import Error, Failed, Fault, InternalError, LimitReached, UsageError
from .profile import profile
from .study import plot, query, runs, sweep

__version__ = ffi.string(library.simtlab_version()).decode()
__all__ = ["Device", "EVENT", "Error", "Failed", "Fault", "InternalError", "KINDS", "LimitReached", "Machine", "Module",
           "Program", "UsageError", "View", "compile", "machines", "plot", "profile", "query", "runs", "sweep"]
