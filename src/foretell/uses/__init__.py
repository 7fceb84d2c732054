"""What people ask of predictions. No use knows a model by name."""
