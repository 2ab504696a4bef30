"""`python -m zerowait` is `zerowait`."""

from zerowait.cli import main

main()
