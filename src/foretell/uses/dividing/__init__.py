"""Work divided between devices, each with code of its own: predicted at several shares by the model of each device."""
