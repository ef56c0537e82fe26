"""`python -m talion` is the command `talion`."""

from talion.cli import main

if __name__ == "__main__":
    main()
