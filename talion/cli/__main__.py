"""`python -m talion.cli` is the command `talion`."""

from . import main

main()
