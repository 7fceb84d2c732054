"""`python -m foretell`."""

from foretell.cli import main

if __name__ == "__main__":  # workers of a pool import this module under another name
    main()
