import sys

try:
    from porter.cli import main
except KeyboardInterrupt:
    sys.exit("porter: interrupted")

main()
