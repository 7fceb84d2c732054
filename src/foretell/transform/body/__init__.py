"""Changes of the body of innermost loops: what is computed before them, directives for vectors and stores."""
