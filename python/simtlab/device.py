"""Machines, programs and devices."""
import os

import numpy
import pandas

from ._library import ffi, free, library
from .command import command
from .errors import Fault, UsageError, check, check_pointer, new_error

_FAULT_KINDS = ("instruction", "jump", "address", "stack", "misaligned", "atomic", "convergence", "csr", "system",
                "deadlock", "livelock", "texture", "other")

EVENT = numpy.dtype([("cycle", "u8"), ("active", "u8"), ("pc", "u8"), ("address", "u8"), ("launch", "u4"), ("warp", "u4"),
                     ("word", "u4"), ("rd", "i4"), ("block", "u4", 3), ("line", "u4"), ("kind", "u4"), ("width", "u4")])
"""An executed instruction or a memory access of a warp: struct simtlab_event. active: mask of lanes. address: of the
first active lane. rd: -1 without a destination register. kind: a value of KINDS."""

KINDS = {"commit": library.SIMTLAB_COMMIT_EVENT, "load": library.SIMTLAB_LOAD_EVENT,
         "store": library.SIMTLAB_STORE_EVENT, "atomic": library.SIMTLAB_ATOMIC_EVENT}
"""The kinds of events, by name."""

_ACCESSES = ("load", "store", "atomic")
_BATCH = 65536   # events
_SLICE = 1 << 20 # cycles between two looks at Ctrl-C


def machines():
    """Names of all machines."""
    names, index = [], 0
    while (name := library.simtlab_machine_name(index)) != ffi.NULL:
        names.append(ffi.string(name).decode())
        index += 1
    return names


def compile(*sources, output, target="simt", options=()):
    """Compiles C sources to a program, as `simtlab cc` does. target: simt, vortex, vortex64 or sm7. Returns the Program.

    The command is `simtlab`, or what SIMTLAB_COMMAND names.
    """
    command("cc", "--target", target, "-o", output, *options, *sources)
    return Program(output)


class Machine:
    """A machine: a preset or a YAML file, and changed keys.

    >>> Machine("simtight", lanes=16, dram__latency=100)

    A dot in the name of a key is written as two underscores, or set() takes the key as text.
    """

    def __init__(self, name, **keys):
        error = new_error()
        pointer = check_pointer(library.simtlab_config_open(os.fspath(name).encode(), error), error)
        self._pointer = ffi.gc(pointer, library.simtlab_config_free)
        self.name = os.fspath(name)
        self.settings = []
        """Changed keys, as KEY=VALUE."""
        for key, value in keys.items():
            self.set(key.replace("__", "."), value)

    def set(self, key, value):
        """Changes a key. Returns the machine."""
        error = new_error()
        setting = "%s=%s" % (key, str(value).lower() if isinstance(value, bool) else value)
        check(library.simtlab_config_set(self._pointer, setting.encode(), error), error)
        self.settings.append(setting)
        return self

    def device(self, **options):
        """A new device; the options are those of Device."""
        return Device(self, **options)


class Program:
    """An ELF program."""

    def __init__(self, path):
        error = new_error()
        pointer = check_pointer(library.simtlab_program_load(os.fspath(path).encode(), error), error)
        self._pointer = ffi.gc(pointer, library.simtlab_program_free)
        self.path = os.fspath(path)

    def symbol(self, name):
        """The address of a symbol. KeyError: there is none."""
        address = ffi.new("uint32_t *")
        if not library.simtlab_program_symbol(self._pointer, name.encode(), address):
            raise KeyError(name)
        return address[0]

    def locate(self, address):
        """The function and source line of an address, as text."""
        text = ffi.new("char[512]")
        library.simtlab_program_locate(self._pointer, address, text, len(text))
        return ffi.string(text).decode(errors="replace")


class Module:
    """A PTX module on a device; Device.module makes it."""

    def __init__(self, device, pointer):
        self._device, self._pointer = device, pointer

    def parameters(self, kernel):
        """Names, offsets and sizes of a kernel's parameters."""
        facts = ffi.new("struct simtlab_kernel *")
        if not library.simtlab_module_kernel(self._pointer, kernel.encode(), facts):
            raise KeyError(kernel)
        found, one = [], ffi.new("struct simtlab_parameter *")
        for index in range(facts.parameters):
            library.simtlab_module_parameter(self._pointer, kernel.encode(), index, one)
            found.append((ffi.string(one.name).decode(), one.offset, one.size))
        return found


class View:
    """Device memory as a NumPy array that is not copied: view[...] and numpy.asarray(view). Read-only.

    When the device has run, written or released memory since the view was made, using it raises UsageError.
    """

    def __init__(self, device, address, count, dtype):
        size, pointer, error = ffi.new("size_t *", count * dtype.itemsize), ffi.new("const void **"), new_error()
        device._check(library.simtlab_device_map(device._pointer, address, size, pointer, error), error)
        if size[0] < count * dtype.itemsize:
            raise UsageError("only %d bytes from 0x%x on are consecutive on the host; map fewer, or use read()"
                             % (size[0], address))
        self._device, self._generation = device, device._generation
        self._array = numpy.frombuffer(ffi.buffer(pointer[0], size[0]), dtype=dtype)
        self._array.flags.writeable = False

    def __array__(self, dtype=None):
        if self._generation != self._device._generation:
            raise UsageError("the device has gone on since this view was made; make a new one")
        return self._array if dtype is None else self._array.astype(dtype)

    def __getitem__(self, index):
        return numpy.array(self.__array__()[index])

    def __len__(self):
        return len(self._array)


class Device:
    """A simulated GPU with its memory. It executes programs, or kernels of PTX modules.

    fast: results without timing. max_cycles: limit of a run. threads: of the host. ptx: the device is for PTX.
    observe: collect events for commits(), accesses() and events(). input: bytes that the program may read.
    """

    def __init__(self, machine, fast=False, max_cycles=0, threads=1, ptx=False, observe=False, input=b""):
        self.output = bytearray()
        """What the program has printed."""
        self._program, self._launched, self._observes, self._raised = None, False, observe, None
        self._input = iter(input)
        self._generation = 0  # changes when a View becomes invalid
        self._put = ffi.callback("int(void *, uint8_t)", self._console_put, error=-1, onerror=self._on_error)
        self._get = ffi.callback("int(void *)", lambda _: next(self._input, -1), error=-1, onerror=self._on_error)
        self._options = ffi.new("struct simtlab_options *")
        self._options.callbacks.console_put, self._options.callbacks.console_get = self._put, self._get
        self._options.fast, self._options.max_cycles = fast, max_cycles
        self._options.threads, self._options.ptx = threads, ptx
        error = new_error()
        pointer = check_pointer(library.simtlab_device_create(machine._pointer, self._options, error), error)
        self._pointer = ffi.gc(pointer, library.simtlab_device_free)
        self.machine = machine
        if observe:
            self._collect(KINDS, None, None, 1)

    # ---- programs ----

    def load(self, program, *arguments):
        """Loads a program with its arguments. Returns the device."""
        words = [ffi.new("char[]", str(word).encode()) for word in (program.path, *arguments)]
        error = new_error()
        self._program, self._generation = program, self._generation + 1
        status = library.simtlab_device_load(self._pointer, program._pointer, len(words), words, error)
        self._check(status, error)
        return self

    def run(self, program=None, *arguments):
        """Runs the loaded program, or loads one first, to its end. Returns its exit status. Ctrl-C interrupts it; the
        next run() resumes."""
        if program is not None:
            self.load(program, *arguments)
        while self.run_for(_SLICE):
            pass
        return library.simtlab_device_exit_status(self._pointer)

    def run_for(self, cycles):
        """Runs for so many cycles. Returns True if the program, or the started kernel, has not ended."""
        self._generation += 1
        error = new_error()
        advance = library.simtlab_device_wait_for if self._launched else library.simtlab_device_run_for
        status = advance(self._pointer, cycles, error)
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        self._launched = self._launched and status == library.SIMTLAB_PAUSED
        return self._check(status, error, (library.SIMTLAB_PAUSED,)) == library.SIMTLAB_PAUSED

    # ---- events ----

    def commits(self, warp=None, pc=None, every=1, cycles=None):
        """Runs the loaded program, or the started kernel; yields its executed instructions in arrays of dtype EVENT.

        The library collects them: batches have 65,536 events or more, or those of so many cycles. warp: only this one.
        pc: only this address, or a tuple of the first and the last. every: only each Nth of these.
        """
        return self.events(("commit",), warp, pc, every, cycles)

    def accesses(self, kinds=_ACCESSES, warp=None, pc=None, every=1, cycles=None):
        """The same for memory accesses: "load", "store" and "atomic"."""
        return self.events(kinds, warp, pc, every, cycles)

    def events(self, kinds=tuple(KINDS), warp=None, pc=None, every=1, cycles=None):
        """The same for these kinds of events, in the order in which they happen."""
        if not self._observes:
            raise UsageError("the device does not collect events; make it with observe=True")
        self._collect(kinds, warp, pc, every)
        return self._batches(cycles)

    def _collect(self, kinds, warp, pc, every):
        kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        wrong = [kind for kind in kinds if kind not in KINDS]
        if wrong or not kinds:
            raise UsageError("%s is no kind of event; take some of %s" % (wrong[:1] or "an empty list", ", ".join(KINDS)))
        first, last = (0, 0) if pc is None else pc if isinstance(pc, tuple) else (pc, pc)
        chosen, error = ffi.new("struct simtlab_filter *"), new_error()
        chosen.kinds, chosen.one_warp, chosen.warp = sum(KINDS[kind] for kind in set(kinds)), warp is not None, warp or 0
        chosen.first_pc, chosen.last_pc, chosen.every = first, last, every
        self._check(library.simtlab_device_collect(self._pointer, chosen, error), error)

    def _batches(self, cycles):
        """Yields batches. Without `cycles`, parts of the run get longer or shorter with the number of their events."""
        part, waiting, goes_on, fault = cycles or 1024, [], True, None
        while goes_on:
            try:
                goes_on = self.run_for(part)
            except Fault as raised:
                goes_on, fault = False, raised
            found = self._events()
            waiting.append(found)
            if cycles or not goes_on or sum(map(len, waiting)) >= _BATCH:
                yield numpy.concatenate(waiting)
                waiting = []
            if not cycles and len(found) > _BATCH:
                part = max(part // 2, 64)
            elif not cycles and len(found) < _BATCH // 4:
                part = min(part * 2, _SLICE)
        if fault is not None:
            raise fault

    def _events(self):
        """A copy of the collected events."""
        pointer = ffi.new("const struct simtlab_event **")
        count = library.simtlab_device_events(self._pointer, pointer)
        if count == 0:
            return numpy.empty(0, dtype=EVENT)
        return numpy.frombuffer(ffi.buffer(pointer[0], count * EVENT.itemsize), dtype=EVENT).copy()

    # ---- checkpoints ----

    def save(self, path=None):
        """Writes a checkpoint to a file, or without a path returns it as bytes. PTX: between two launches."""
        error = new_error()
        if path is not None:
            self._check(library.simtlab_device_save(self._pointer, os.fspath(path).encode(), error), error)
            return None
        data, size = ffi.new("void **"), ffi.new("size_t *")
        self._check(library.simtlab_device_save_memory(self._pointer, data, size, error), error)
        try:
            return ffi.buffer(data[0], size[0])[:]
        finally:
            free(data[0])

    def restore(self, checkpoint):
        """Continues from a checkpoint, a path or bytes. The device has the same machine and the same loaded program, or
        for PTX the same modules."""
        error = new_error()
        self._generation += 1
        if isinstance(checkpoint, bytes):
            status = library.simtlab_device_restore_memory(self._pointer, checkpoint, len(checkpoint), error)
        else:
            status = library.simtlab_device_restore(self._pointer, os.fspath(checkpoint).encode(), error)
        self._check(status, error)
        return self

    # ---- results ----

    def counters(self):
        """All counters: a frame with a row per launch; .attrs["units"] has the units."""
        count = library.simtlab_device_counters(self._pointer)
        names = [ffi.string(library.simtlab_counter_name(self._pointer, i)).decode() for i in range(count)]
        units = [ffi.string(library.simtlab_counter_unit(self._pointer, i)).decode() for i in range(count)]
        launches = library.simtlab_device_launches(self._pointer)
        rows = [[library.simtlab_counter_value(self._pointer, launch, i) for i in range(count)]
                for launch in range(launches)]
        frame = pandas.DataFrame(rows, columns=names, dtype="uint64")
        frame.index.name = "launch"
        frame.attrs["units"] = dict(zip(names, units))
        return frame

    def registers(self, warp):
        """The registers of a warp: an array by lane and register number. Machines compress them, so it is a copy."""
        lanes = library.simtlab_device_lanes(self._pointer)
        values = numpy.zeros((32, lanes), dtype="u4")
        for register in range(32):
            row = ffi.from_buffer("uint32_t[]", values[register])
            if not library.simtlab_device_registers(self._pointer, warp, register, row):
                raise IndexError("the device has no warp %d with a register %d" % (warp, register))
        return values.T

    def pcs(self, warp):
        """The program counter of each lane of a warp."""
        lanes = library.simtlab_device_lanes(self._pointer)
        return numpy.array([library.simtlab_device_pc(self._pointer, warp, lane) for lane in range(lanes)], dtype="u4")

    # ---- memory ----

    def alloc(self, size):
        """Reserves bytes of device memory; returns the address."""
        address, error = ffi.new("uint64_t *"), new_error()
        self._check(library.simtlab_device_alloc(self._pointer, size, address, error), error)
        return address[0]

    def release(self, address):
        """Releases memory of alloc()."""
        self._generation += 1
        error = new_error()
        self._check(library.simtlab_device_release(self._pointer, address, error), error)

    def write(self, address, values):
        """Writes an array or bytes to device memory."""
        self._generation += 1
        data, error = numpy.ascontiguousarray(values).tobytes() if not isinstance(values, bytes) else values, new_error()
        self._check(library.simtlab_device_write(self._pointer, address, data, len(data), error), error)

    def read(self, address, count, dtype="u4"):
        """Returns a copy of so many elements of device memory."""
        values, error = numpy.empty(count, dtype=dtype), new_error()
        self._check(library.simtlab_device_read(self._pointer, address, ffi.from_buffer(values), values.nbytes, error),
                    error)
        return values

    def memory(self, address, count, dtype="u4"):
        """A View of so many elements of device memory, without a copy. It is valid until the device goes on."""
        return View(self, address, count, numpy.dtype(dtype))

    # ---- PTX ----

    def module(self, path=None, text=None):
        """Loads a PTX module from a file, or from text."""
        error = new_error()
        if text is not None:
            data = text.encode()
            pointer = library.simtlab_module_parse(self._pointer, b"text", data, len(data), error)
        else:
            pointer = library.simtlab_module_load(self._pointer, os.fspath(path).encode(), error)
        return Module(self, check_pointer(pointer, error))

    def start(self, module, kernel, grid, block, *arguments, shared=0):
        """Starts a kernel of a module; run_for(), commits() and accesses() run it. The arguments are those of launch()."""
        parameters = module.parameters(kernel)
        if len(arguments) != len(parameters):
            raise UsageError("%s takes %d arguments, not %d" % (kernel, len(parameters), len(arguments)))
        size = max((offset + width for _, offset, width in parameters), default=0)
        data = bytearray(size)
        for (name, offset, width), value in zip(parameters, arguments):
            data[offset:offset + width] = _argument(kernel, name, width, value)
        launch, error = ffi.new("struct simtlab_launch *"), new_error()
        text, block_of_bytes = ffi.new("char[]", kernel.encode()), ffi.from_buffer(data)
        launch.module, launch.kernel = module._pointer, text
        launch.grid, launch.block = _three(grid), _three(block)
        launch.shared, launch.arguments, launch.argument_bytes = shared, block_of_bytes, size
        self._generation += 1
        self._check(library.simtlab_device_start(self._pointer, launch, error), error)
        self._launched = True

    def launch(self, module, kernel, grid, block, *arguments, shared=0):
        """Runs a kernel of a module. grid, block: numbers or tuples. arguments: Python or NumPy numbers, in order."""
        self.start(module, kernel, grid, block, *arguments, shared=shared)
        while self.run_for(_SLICE):
            pass

    # ---- inside ----

    def _console_put(self, _, byte):
        self.output.append(byte)
        return 0

    def _on_error(self, kind, raised, _):
        """An exception inside a callback, such as Ctrl-C, ends the run, which raises it."""
        self._raised = raised
        library.simtlab_device_stop(self._pointer, b"an exception in a callback")

    def _check(self, status, error, accepted=()):
        try:
            return check(status, error, accepted)
        except Fault as fault:
            fault.place = self._fault()
            raise

    def _fault(self):
        fault = ffi.new("struct simtlab_fault *")
        if not library.simtlab_device_last_fault(self._pointer, fault):
            return None
        return {"kind": _FAULT_KINDS[fault.kind], "kernel": ffi.string(fault.kernel).decode(errors="replace"),
                "warp": fault.warp, "lanes": fault.lanes, "pc": fault.pc, "address": fault.address,
                "file": ffi.string(fault.file).decode(errors="replace"), "line": fault.line,
                "block": tuple(fault.block) if fault.in_grid else None,
                "thread": tuple(fault.thread) if fault.in_grid else None}


def _three(value):
    return (list(value) + [1, 1])[:3] if hasattr(value, "__len__") else [value, 1, 1]


def _argument(kernel, name, width, value):
    """The bytes of an argument."""
    if isinstance(value, numpy.generic) or isinstance(value, numpy.ndarray):
        data = value.tobytes()
        if len(data) != width:
            raise UsageError("parameter %s of %s has %d bytes, not %d" % (name, kernel, width, len(data)))
        return data
    if isinstance(value, float):
        return numpy.array(value, dtype={4: "f4", 8: "f8"}[width]).tobytes()
    return int(value).to_bytes(width, "little", signed=value < 0)
