"""Executes the code of notebooks, and compares what it prints with what they have: notebook.py [--jupyter] [--renew] FILE...

Pictures are not compared, and neither are numbers if another compiler makes the programs: only the words then.
--jupyter executes them as Jupyter does, by nbclient; --renew writes the outputs, by nbclient, into the files.
"""
import ast
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys


def compiler():
    name = shutil.which("riscv64-unknown-elf-gcc")
    return subprocess.run([name, "--version"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[0] if name else "none"


def printed(outputs):
    """The text of a cell's outputs. Jupyter stores lists of lines."""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs
             if "image/png" not in output.get("data", {})]
    return "".join(text if isinstance(text, str) else "".join(text) for text in texts)


def run_plainly(notebook):
    """Yields what each cell of code prints."""
    os.environ["MPLBACKEND"] = "Agg"
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree, out = ast.parse("".join(cell["source"])), io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(tree, cell["id"], "exec"), names)
        yield cell, out.getvalue()


def run_in_jupyter(notebook):
    import nbclient
    import nbformat
    os.environ.pop("MPLBACKEND", None)
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    done = nbclient.NotebookClient(nbformat.reads(json.dumps(notebook), 4), timeout=120, kernel_name="python3").execute()
    for cell, executed in zip(notebook["cells"], done["cells"]):
        if cell["cell_type"] == "code":
            cell["executed"] = executed["outputs"]
            yield cell, printed(executed["outputs"])


def words(text):
    return re.sub(r"\s+", " ", re.sub(r"-?[0-9]+(\.[0-9]+)?", "0", text))


def main(options, files):
    folder, status = os.getcwd(), 0
    for path in files:
        os.chdir(folder)
        with open(path, encoding="utf-8") as file:
            notebook = json.load(file)
        same = notebook["metadata"].get("compiler") == compiler()
        renewed = "--renew" in options
        for cell, text in (run_in_jupyter if renewed or "--jupyter" in options else run_plainly)(notebook):
            if renewed:
                cell["outputs"], cell["execution_count"] = cell.pop("executed"), None
            elif (text if same else words(text)) != (printed(cell["outputs"]) if same else words(printed(cell["outputs"]))):
                print("%s: cell %s prints\n%s\nand the notebook has\n%s" % (path, cell["id"], text,
                                                                          printed(cell["outputs"])), file=sys.stderr)
                status = 1
        if renewed:
            notebook["metadata"]["compiler"] = compiler()
            os.chdir(folder)
            with open(path, "w", encoding="utf-8") as file:
                file.write(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main([word for word in sys.argv[1:] if word.startswith("--")],
                  [word for word in sys.argv[1:] if not word.startswith("--")]))
