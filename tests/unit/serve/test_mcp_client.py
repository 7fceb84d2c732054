"""Coding agents: the client of the package `mcp` (extra `mcp`) against a started server."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.support.serve.web import ASKED, TRIAD

if TYPE_CHECKING:
    from collections.abc import Iterator

mcp = pytest.importorskip("mcp", reason="needs the extra `mcp`")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """The address of a started server, and its token."""
    folder = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-m", "foretell", "serve", "--port", "0", "--folder", str(folder), "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        link = re.search(r"(http://[^/]+)/\?token=(\S+)", process.stdout.readline())
        assert link is not None
        yield link[1], link[2]
        process.terminate()


def test_the_reference_client_lists_and_calls_the_tools(server: tuple[str, str]) -> None:
    from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

    async def converse() -> None:
        http = create_mcp_http_client(headers={"Authorization": f"Bearer {server[1]}"})
        async with http, mcp.Client(streamable_http_client(f"{server[0]}/mcp", http_client=http)) as client:
            assert client.server_info.name == "foretell"
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert tools.keys() == {"predict", "why", "advise", "rank", "check"}
            assert "code" in tools["predict"].input_schema["required"]
            answer = await client.call_tool("predict", ASKED)
            assert not answer.is_error
            assert answer.structured_content["time_s"] > 0
            assert answer.content[0].text.startswith("triad on zen4: ")
            why = await client.call_tool("why", ASKED)
            assert why.structured_content["sensitivities"]
            base = {"name": "triad.c", "text": TRIAD.replace("b[i] +", "b[i] /")}
            check = await client.call_tool("check", {**ASKED, "base": base})
            assert check.structured_content["changes"][0]["verdict"] == "faster"
            wrong = await client.call_tool("predict", {"code": {"name": "/etc/passwd", "text": ""}})
            assert wrong.is_error
            assert "not possible" in wrong.content[0].text

    asyncio.run(asyncio.wait_for(converse(), 120))


def test_the_reference_client_is_refused_without_a_token(server: tuple[str, str]) -> None:
    async def converse() -> None:
        async with mcp.Client(f"{server[0]}/mcp") as client:
            await client.list_tools()

    with pytest.raises(BaseException) as caught:  # noqa: PT011 - a group of the client's own errors
        asyncio.run(asyncio.wait_for(converse(), 120))
    assert not isinstance(caught.value, TimeoutError | KeyboardInterrupt)
