"""What the command line takes in: completion by the shell, code by stdin."""
