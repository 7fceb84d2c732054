"""Records against the standard library's frozen dataclasses: same answers to the same questions."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace

import pytest

from foretell.records import record


@record
class Point:
    """A point."""

    x: int
    y: int = 2
    name: str = field(default="", compare=False)

    @property
    def total(self) -> int:
        return self.x + self.y


@record
class Nothing:
    pass


@dataclass(frozen=True, slots=True)
class Standard:
    x: int
    y: int = 2
    name: str = field(default="", compare=False)


@pytest.mark.parametrize("kind", [Point, Standard])
def test_both_kinds_give_the_same_answers(kind: type) -> None:
    one = kind(1)
    assert (one.x, one.y, one.name) == (1, 2, "")
    assert repr(one) == f"{kind.__name__}(x=1, y=2, name='')"
    assert one == kind(1, name="other")
    assert one != kind(1, 3)
    assert hash(one) == hash(kind(1, name="other"))
    assert len({one, kind(1), kind(2)}) == 2
    assert replace(one, y=5) == kind(1, 5)
    assert asdict(one) == {"x": 1, "y": 2, "name": ""}
    assert [entry.name for entry in fields(kind)] == ["x", "y", "name"]
    assert is_dataclass(one)
    assert pickle.loads(pickle.dumps(one)) == one == copy.copy(one)
    assert kind.__match_args__ == ("x", "y", "name")
    with pytest.raises(FrozenInstanceError):
        one.x = 3
    with pytest.raises(FrozenInstanceError):
        del one.x
    with pytest.raises((AttributeError, TypeError)):
        one.other = 3  # no such slot
    with pytest.raises(TypeError):
        kind()
    with pytest.raises(TypeError):
        kind(1, z=2)


def test_what_stands_in_the_class_stays() -> None:
    assert Point(1).total == 3
    assert Point.__doc__ == "A point."
    assert Point.__module__ == __name__
    assert not hasattr(Point(1), "__dict__")
    match Point(4, 5):
        case Point(x, y):
            assert (x, y) == (4, 5)


def test_records_of_two_classes_are_never_equal() -> None:
    @record
    class Twin:
        x: int
        y: int = 2

    assert Twin(1) != Point(1)
    assert Point(1) != (1, 2, "")
    assert Nothing() == Nothing()
    assert hash(Nothing()) == hash(Nothing())
    assert repr(Nothing()) == "Nothing()"


def test_a_factory_is_refused() -> None:
    @record
    class Held:
        items: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match=r"Held\.items: the default of a record's field is a value"):
        Held()
