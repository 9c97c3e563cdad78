"""Profiles: where the cycles of a program go."""
import json
import os
import tempfile

import pandas

from .command import command
from .errors import UsageError

_ROWS = {"line": "lines", "instruction": "instructions", "launch": "launches"}


def profile(program, *arguments, machine="simtight", by="line", options=()):
    """Runs a program and returns its profile: a frame with a row per source line, instruction or launch.

    machine: a Machine or a name. The column cycles is the sum of the columns cycles.REASON. .attrs["totals"] has the
    sums over the program, and .attrs["advice"] the sentences of `simtlab profile`.
    """
    if by not in _ROWS:
        raise UsageError("a profile has rows by %s, not by %s" % (", ".join(_ROWS), by))
    settings = [word for setting in getattr(machine, "settings", ()) for word in ("--set", setting)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "profile.json")
        command("profile", "--quiet", "--json", path, "--machine", getattr(machine, "name", machine), *settings, *options,
                "--", getattr(program, "path", program), *map(str, arguments))
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    frame = pandas.json_normalize([{key: value for key, value in row.items() if key != "instructions"}
                                   for row in document[_ROWS[by]]])
    frame.columns = [name.replace("cycles_by_cause.", "cycles.") for name in frame.columns]
    frame.attrs.update(totals=document["totals"], advice=[advice["text"] for advice in document["advice"]])
    return frame
