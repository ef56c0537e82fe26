"""Build a virtual environment: `python tools/environment.py play` (or `lab`, `docs`, `test`, `peers`).

Run by make. It is written so that any Python can read it, also one too old for Talion, and says in one sentence
what is missing. An environment counts as built only by its stamp, which is written last and holds a digest of what
was asked for; so an interrupted build is gone on with, and a touched but unchanged pyproject.toml costs nothing.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
PINNED = ["--constraint", "constraints.txt", "--editable"]

# For what: in which folder, what pip is told to install there, and what else that serves.
ENVIRONMENTS = {
    "play": (".venv", PINNED + ["."], []),
    "lab": (".venv", PINNED + [".[lab]"], ["play"]),
    "docs": (".venv", PINNED + [".[docs]"], ["play"]),
    "test": (".venv", PINNED + [".[lab,dask,docs,dev]"], ["play", "lab", "docs"]),
    "peers": (".venv-peers", ["--requirement", "bench/peers.txt"], []),
}


def main():
    what = sys.argv[1]
    require_python()
    folder, packages, included = ENVIRONMENTS[what]
    digest = wanted()
    if read(stamp(what)) == digest:
        os.utime(stamp(what), None)
        return
    if is_begun(folder):
        say("Adding to %s what `make %s` needs." % (folder, what))
        remove_halves(folder)
    else:
        require_ensurepip()
        say("Building %s for `make %s`; this happens once." % (folder, what))
        run([sys.executable, "-m", "venv", "--clear", folder], "The virtual environment could not be made.")
        with open(begun(folder), "w") as file:
            file.write(sys.version)
    install(folder, packages)
    for use in [what] + included:
        with open(stamp(use), "w") as file:
            file.write(digest)


def is_begun(folder):
    """Whether an environment of this very Python is there, whole or interrupted while packages were installed."""
    return read(begun(folder)) == sys.version and os.path.exists(program(folder))


def begun(folder):
    return os.path.join(folder, "made-by")


def program(folder):
    """The environment's Python."""
    return os.path.join(folder, "Scripts" if os.name == "nt" else "bin", "python")


def remove_halves(folder):
    """A package that pip was interrupted in looks installed and is not: only a whole one names its installer."""
    for path, folders, files in os.walk(os.path.join(folder, "lib")):
        if path.endswith(".dist-info"):
            if "INSTALLER" not in files:
                shutil.rmtree(path)
            folders[:] = []


def require_python():
    if sys.version_info < OLDEST:
        found = ".".join(str(part) for part in sys.version_info[:3])
        stop(
            "Talion needs Python 3.11 or newer, and %s is %s: name another with `make PYTHON=/path/to/python3`."
            % (sys.executable, found)
        )


def require_ensurepip():
    """A bare Debian has Python without ensurepip: root installs it, anybody else is told how to."""
    if has_ensurepip():
        return
    command = ["apt-get", "install", "--yes", "python3-venv"]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("This Python has no ensurepip: installing Debian's python3-venv.")
        subprocess.call(["apt-get", "update", "--quiet"])
        subprocess.call(command)
    if not has_ensurepip():
        stop(
            "This Python has no ensurepip, which a virtual environment needs: run `sudo %s`."
            % " ".join(command)
        )


def has_ensurepip():
    """Asked of a new process, since this one remembers what it could not import."""
    return subprocess.call([sys.executable, "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL) == 0


def install(folder, packages):
    command = [program(folder), "-m", "pip", "install", "--disable-pip-version-check", "--no-color"]
    command += ["--progress-bar", "off"]
    pip = subprocess.Popen(command + packages, stdout=subprocess.PIPE, universal_newlines=True)
    said = []
    for line in pip.stdout or ():
        said.append(line)
        tell_progress(line.split())
    tell_progress([])
    if pip.wait() != 0:
        sys.stderr.write("".join(said[-5:]))
        stop(
            "The packages could not be installed: pip's words above say why (the first build needs the network)."
        )


def tell_progress(words):
    """What pip is at, in one line that changes on a terminal; elsewhere only that it installs, which takes longest."""
    if sys.stdout.isatty():
        what = " ".join(words[:2])[:60] if words and words[0] in ("Collecting", "Downloading") else ""
        what = (
            "Installing %s packages" % (len(words) - 3) if words[:2] == ["Installing", "collected"] else what
        )
        if what or not words:
            sys.stdout.write("\r\033[K" + what)
            sys.stdout.flush()
    elif words[:2] == ["Installing", "collected"]:
        say("Installing %s packages." % (len(words) - 3))


def wanted():
    """A digest of what environments are made from: this Python, the project's dependencies, the pinned versions."""
    import tomllib

    with open("pyproject.toml", "rb") as file:
        project = tomllib.load(file)
    parts = [project["build-system"], project["project"], list(sys.version_info[:2])]
    parts += [read("constraints.txt"), read("bench/peers.txt")]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def stamp(what):
    return os.path.join(ENVIRONMENTS[what][0], "built-for-" + what)


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except (IOError, OSError):
        return None


def say(sentence):
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def run(command, otherwise):
    if subprocess.call(command) != 0:
        stop(otherwise)


def stop(sentence):
    sys.stderr.write(sentence + "\n")
    sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        stop("Interrupted; the next time it goes on from here.")
