"""`check`: two versions of a code compared by prediction, with limits; no version is run."""
