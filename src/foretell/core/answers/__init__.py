"""The answers that uses give: predictions, explanations, explorations, tunings."""
