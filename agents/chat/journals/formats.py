"""The parser of each runtime whose journal can be read. Pure."""

from collections.abc import Callable, Mapping

from agents.chat.journals.claude import ClaudeParser
from agents.chat.journals.codex import CodexParser
from agents.chat.journals.copilot import CopilotParser
from agents.chat.journals.entries import JournalReader, Parser
from agents.chat.journals.gemini import GeminiParser
from agents.chat.journals.opencode import OpencodeParser
from agents.chat.journals.pi import PiParser

PARSERS: Mapping[str, Callable[[], Parser]] = {
    "claude": ClaudeParser,
    "codex": CodexParser,
    "copilot": CopilotParser,
    "gemini": GeminiParser,
    "opencode": OpencodeParser,
    "pi": PiParser,
}


def reader(runtime: str) -> JournalReader:
    return JournalReader(PARSERS[runtime]())
