"""Uses of predictions (rank, tune, explore, validate, …). No use knows a model by name."""
