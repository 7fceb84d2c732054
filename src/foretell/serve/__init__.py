"""`foretell serve`: the questions of the command line in a browser, over HTTP, and for a team."""
