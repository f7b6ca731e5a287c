"""REST for agents: parse, call, serialise.

No rule lives here. An error of ours becomes a status in config/api.py, for every operation.
"""

from django.http import HttpRequest
from ninja import File, Query, Router, UploadedFile
from pydantic import Field

from agents import chat, registry, selectors, services, summary, voice
from agents.chat_schemas import (
    ChatFoundOut,
    ChatPageOut,
    ChatPlace,
    ChatQuery,
    MessagesPageOut,
    SummaryOut,
)
from agents.schemas import (
    AgentDetailOut,
    AgentOut,
    DeliveredOut,
    ExplainOut,
    NewAnswer,
    NewPrompt,
    TranscriptOut,
    VoiceOut,
)
from agents.selectors import Filters
from terminals import selectors as windows
from terminals.api import page, tmux
from terminals.db import in_db
from terminals.models import Window
from terminals.schemas import Page, Paging, Wire

router = Router(by_alias=True, tags=["agents"])


class AgentFilters(Wire):
    include_session_filter: str = Field("", description="RE2 pattern on the session's name")
    exclude_session_filter: str = ""
    include_path_filter: str = Field("", description="RE2 pattern on the directory")
    exclude_path_filter: str = ""


@router.get("/agents", response=Page[AgentOut])
async def list_agents(
    request: HttpRequest, paging: Query[Paging], asked: Query[AgentFilters]
) -> Page[AgentOut]:
    """The agents that run now, by name."""
    filters = Filters.of(asked.model_dump(by_alias=True))
    found = await selectors.list_agents(filters)
    return page([AgentOut.of(agent) for agent in found.values()], paging)


# Before the agent itself: a name may hold a slash.
@router.get("/agents/{path:name}/explain", response=ExplainOut)
async def explain_agent(request: HttpRequest, name: str) -> ExplainOut:
    """What its screen shows now, which rule says so, and on which evidence."""
    return await selectors.explain_agent(tmux=tmux(), name=name)


@router.post("/agents/{path:name}/prompt", response=DeliveredOut)
async def send_prompt(request: HttpRequest, name: str, body: NewPrompt) -> DeliveredOut:
    """Type a prompt and submit it; the answer tells what was seen of that."""
    agent = registry.current().find(name)
    receipt = await services.send_prompt(tmux=tmux(), agent=agent, **dict(body))
    return DeliveredOut.model_validate(receipt.fields())


@router.post("/agents/{path:name}/answer", response=DeliveredOut)
async def answer_agent(request: HttpRequest, name: str, body: NewAnswer) -> DeliveredOut:
    """Answer the question that an agent waits with."""
    agent = registry.current().find(name)
    receipt = await services.answer_agent(tmux=tmux(), agent=agent, **dict(body))
    return DeliveredOut.model_validate(receipt.fields())


@router.get("/agents/{path:name}", response=AgentDetailOut)
async def get_agent(request: HttpRequest, name: str) -> AgentDetailOut:
    """One agent, with what its processes take."""
    return AgentDetailOut.detailed(*await selectors.get_agent(name))


# --- voice ------------------------------------------------------------------------------------


@router.get("/voice", response=VoiceOut, tags=["voice"])
async def describe_voice(request: HttpRequest) -> VoiceOut:
    """Whether speech can be written down here, and if not, what to set."""
    reason = voice.describe_voice()
    return VoiceOut(available=not reason, reason=reason)


@router.post("/voice", response=TranscriptOut, tags=["voice"])
async def transcribe(request: HttpRequest, file: File[UploadedFile]) -> TranscriptOut:
    """What was said in a recording of up to 10 MB, as text. It is sent to nobody else."""
    return TranscriptOut(text=await voice.transcribe(speech=await voice.received(file)))


# --- chat -------------------------------------------------------------------------------------


async def _window(window: str) -> Window:
    return await windows.get_window(tmux=tmux(), window=window)


@router.get("/windows/{window}/chat", response=ChatPageOut, tags=["chat"])
async def read_chat_history(
    request: HttpRequest, window: str, paging: Query[ChatPlace]
) -> ChatPageOut:
    """Every line that was submitted to a window, and every picture of what it showed."""
    row = await _window(window)
    if (place := paging.moment()) is not None:
        told = await in_db(chat.read_chat_at)(window=row, **place)
    else:
        told = await in_db(chat.read_chat_history)(window=row, **paging.newest())
    return ChatPageOut.page(row, told.records, more=told.has_more, newer=told.has_newer)


@router.get("/windows/{window}/messages", response=MessagesPageOut, tags=["chat"])
async def read_chat_messages(
    request: HttpRequest, window: str, paging: Query[ChatPlace]
) -> MessagesPageOut:
    """The same as a conversation: pictures joined, echoes and status lines removed."""
    row = await _window(window)
    if (place := paging.moment()) is not None:
        told = await chat.read_chat_messages_at(window=row, **place)
    else:
        told = await chat.read_chat_messages(window=row, **paging.newest())
    return MessagesPageOut.page(row, told.messages, more=told.has_more, newer=told.has_newer)


@router.get("/windows/{window}/summary", response=SummaryOut, tags=["chat"])
async def summarize_window(request: HttpRequest, window: str) -> SummaryOut:
    """What has been going on in a window, in bullets; `by` tells who wrote them."""
    row = await _window(window)
    return SummaryOut.of(row, await summary.summarize_window(window=row))


@router.get("/chat", response=ChatFoundOut, tags=["chat"])
async def search_chat(request: HttpRequest, asked: Query[ChatQuery]) -> ChatFoundOut:
    """Words, "phrases" and beginnings (`wor*`) in what was said in all windows, newest first."""
    row = await _window(asked.window) if asked.window else None
    filters = asked.filters(row)
    told = await in_db(chat.search_chat)(
        query=asked.q, filters=filters, limit=asked.limit, offset=asked.offset
    )
    return ChatFoundOut.of(told.records, has_more=told.has_more)
