"""Files of projects by name in a question: machines, codes, profiles. They are put in by content before it is asked,
so that an answer that is kept names what made it.

    "on": {"project": "p", "machine": "mine.toml"},  "code": {"project": "p", "kind": "profile", "name": "run.csv"}
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from foretell.serve.pool.pool import AnswerError

if TYPE_CHECKING:
    from foretell.serve.web.site import Site

Document = dict[str, Any]


async def resolved(site: Site, document: Document) -> Document:
    """The question with the newest version of each file that it names."""
    given = dict(document)
    for key in ("code", "base"):
        if _refers(given.get(key)):
            given[key] = await _file(site, given[key])
    on = given.get("on")
    if _refers(on):
        given["on"] = await _machine(site, on)
    elif isinstance(on, list):
        given["on"] = [await _machine(site, each) if _refers(each) else each for each in on]
    return given


def _refers(given: object) -> bool:
    return isinstance(given, dict) and "project" in given


async def _machine(site: Site, given: Any) -> Document:
    return await _file(site, {"project": given["project"], "kind": "machine", "name": given.get("machine")})


async def _file(site: Site, given: Any) -> Document:
    where = [str(given.get(key) or ("code" if key == "kind" else "")) for key in ("project", "kind", "name")]
    data = await site.stored(lambda store: store.item(where[0], where[1], where[2]))
    if data is None:
        raise AnswerError.of("input", f"no {where[1]} {where[2][:63]!r} in the project {where[0][:63]!r}")
    try:
        return {"name": where[2], "text": data.decode()}
    except UnicodeDecodeError:
        return {"name": where[2], "base64": base64.b64encode(data).decode()}


def machine_of(choice: str) -> str | Document:
    """The machine of a menu's value: a name of the library, or PROJECT/FILE."""
    project, slash, name = choice.partition("/")
    return {"project": project, "machine": name} if slash else choice


async def machine_menu(site: Site) -> list[Document]:
    """The library, then the machines of all projects: value, label and kind."""
    library = (await site.machines())["machines"]
    own = await site.stored(lambda store: store.machines())
    return [
        *({"value": each["name"], "label": f"{each['name']} ({each['kind']})"} for each in library),
        *({"value": f"{project}/{name}", "label": f"{name} (project {project})"} for project, name in own),
    ]


async def every_machine(site: Site) -> list[str | Document]:
    """All machines of the menu, as a question names them."""
    return [machine_of(entry["value"]) for entry in await machine_menu(site)]
