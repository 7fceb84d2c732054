"""Memory footprints of a nest with its outer loops held fixed."""
