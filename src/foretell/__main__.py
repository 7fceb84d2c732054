"""`python -m foretell`, and the command `foretell`."""

import sys

from foretell import interruption


def main() -> None:
    """Runs the command line; what it imports can be interrupted, too."""
    try:
        with interruption.heeded():
            from foretell.cli import main as run

            run()
    except KeyboardInterrupt as error:
        print(interruption.message(error), file=sys.stderr)
        sys.exit(interruption.code(error))


if __name__ == "__main__":  # workers of a pool import this module under another name
    main()
