"""The command `simtlab`, or the one that SIMTLAB_COMMAND names, for what the library does not do itself."""
import os
import subprocess

from .errors import of_status


def command(*words, accepted=(0,)):
    """Runs the command with these words. Returns its standard output; raises the exception of its exit status."""
    words = [os.environ.get("SIMTLAB_COMMAND", "simtlab"), *map(os.fspath, words)]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except FileNotFoundError:
        raise of_status(2, "the command %s is not installed; install the package simtlab, or set SIMTLAB_COMMAND to the "
                           "file" % words[0]) from None
    if done.returncode not in accepted:
        raise of_status(done.returncode, done.stderr.strip() or done.stdout.strip())
    return done.stdout
