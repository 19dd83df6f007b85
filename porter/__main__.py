import sys

try:
    from porter.cli.app import main
except KeyboardInterrupt:
    print("porter: interrupted", file=sys.stderr)
    sys.exit(130)  # EXIT_INTERRUPTED, which may not be imported yet

main()
