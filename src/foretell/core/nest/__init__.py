"""Loop nests: the representation of code for all static models."""
