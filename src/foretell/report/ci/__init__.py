"""A check in the formats of services: GitHub, SARIF, JUnit, Bencher, github-action-benchmark."""
