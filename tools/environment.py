"""Build a virtual environment: `python tools/environment.py play` (or `test`, or `peers`).

Run by make. It is written so that any Python can read it, also one too old for Talion, and says in one sentence
what is missing. An environment counts as built only by its stamp, which is written last and holds a digest of what
was asked for; so an interrupted build starts afresh, and a touched but unchanged pyproject.toml costs nothing.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
PINNED = ["--constraint", "constraints.txt", "--editable"]

# For what: in which folder, and what pip is told to install there. A later line for a folder includes the earlier.
ENVIRONMENTS = {
    "play": (".venv", PINNED + ["."]),
    "test": (".venv", PINNED + [".[lab,dask,dev]"]),
    "peers": (".venv-peers", ["--requirement", "bench/peers.txt"]),
}


def main():
    what = sys.argv[1]
    require_python()
    folder, packages = ENVIRONMENTS[what]
    digest = wanted()
    if read(stamp(what)) == digest:
        os.utime(stamp(what), None)
        return
    built = [use for use in ENVIRONMENTS if ENVIRONMENTS[use][0] == folder and read(stamp(use)) == digest]
    if built:
        forget(folder)
    else:
        require_ensurepip()
        say("Building %s for `make %s`; this happens once." % (folder, what))
        run([sys.executable, "-m", "venv", "--clear", folder], "The virtual environment could not be made.")
    install(folder, packages)
    for use in ["play", "test"] if what == "test" else [what]:
        with open(stamp(use), "w") as file:
            file.write(digest)


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
    run(
        [
            os.path.join(folder, "bin", "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]
        + packages,
        "The packages could not be installed: pip's words above say why (the first build needs the network).",
    )


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


def forget(folder):
    """Take the stamps away while packages are added: if that is interrupted, the next build starts afresh."""
    for what in ENVIRONMENTS:
        if ENVIRONMENTS[what][0] == folder and os.path.exists(stamp(what)):
            os.remove(stamp(what))


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
    main()
