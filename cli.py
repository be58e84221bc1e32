"""Run either command from a checkout: ``python cli.py mder index ./docs``."""

import sys


def main() -> None:
    """Hand over to the command that is named first."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    sys.argv[1:2] = []
    if name == "mder":
        from mder.cli import main as command
    elif name == "dr":
        from dr.cli import main as command
    else:
        sys.exit("usage: python cli.py mder|dr …")
    command()


if __name__ == "__main__":
    main()
