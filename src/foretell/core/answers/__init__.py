"""Result types of the uses: predictions, explanations, explorations, tunings."""
