"""What the N-body kernel of the SW26010 paper would gain from each change, by the model and by the paper's formula."""

import foretell

explanation = foretell.why(foretell.prepare("example:n-body", "sw26010"))
for advice in explanation.advice:
    estimate = "" if advice.estimate_s is None else f" ({advice.estimate_by} says {advice.estimate_s * 1e6:.1f} us)"
    print(f"{advice.title}: saves {advice.saving_s * 1e6:.1f} us{estimate}; {advice.action}")
