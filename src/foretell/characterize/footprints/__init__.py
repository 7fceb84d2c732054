"""Memory that a nest touches while its outer loops stand still."""
