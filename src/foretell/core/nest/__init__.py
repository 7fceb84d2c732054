"""Loop nests: what a piece of code does, in the terms that every static model needs."""
