"""The C library, through cffi: its declarations come from the public header, so nothing is compiled.

The header is simtlab.h beside this file in an installation, and include/simtlab/simtlab.h in a source tree. The library
is the file that SIMTLAB_LIBRARY names, or else libsimtlab.so.0 where the loader finds it.
"""
import os
import re

import cffi

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_HEADERS = (os.path.join(_FOLDER, "simtlab.h"),
            os.path.join(_FOLDER, "..", "..", "include", "simtlab", "simtlab.h"))


def _read_header():
    for path in _HEADERS:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise ImportError("simtlab.h is missing beside the package simtlab; install the package python3-simtlab again")


def _declarations(header):
    """The header without comments, conditions of C++ and preprocessor lines."""
    header = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    return re.sub(r"^\s*#.*$", "", header, flags=re.M)


def _version(header):
    """The version of the header, as "0.2"."""
    return ".".join(re.search(r"SIMTLAB_VERSION_%s (\d+)" % part, header).group(1) for part in ("MAJOR", "MINOR"))


def _open():
    name = os.environ.get("SIMTLAB_LIBRARY", "libsimtlab.so.0")
    header = _read_header()
    ffi = cffi.FFI()
    ffi.cdef(_declarations(header) + "void free(void *);")
    try:
        library = ffi.dlopen(name)
    except OSError as error:
        raise ImportError("%s; install the package libsimtlab0, or set SIMTLAB_LIBRARY to the file" % error) from None
    found = ffi.string(library.simtlab_version()).decode()
    if not found.startswith(_version(header) + "."):
        raise ImportError("the library %s has version %s, but this package is for %s" % (name, found, _version(header)))
    return ffi, library, ffi.dlopen(None).free


ffi, library, free = _open()
