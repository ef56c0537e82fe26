"""`python -m talion.cli` is the command `talion`."""

from . import main

if __name__ == "__main__":
    main()
