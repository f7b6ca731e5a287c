"""REST for agents: parse, call, serialise.

Rules are in services.py and selectors.py. config/api.py turns our errors into statuses.
"""

from django.http import HttpRequest
from ninja import File, Query, Router, Status, UploadedFile

from agents import registry, selectors, services, starting, voice
from agents.chat import selectors as chat
from agents.chat import summary
from agents.chat.schemas import (
    ChatFoundOut,
    ChatPageOut,
    ChatPlace,
    ChatQuery,
    MessagePlace,
    MessagesPageOut,
    SummaryOut,
    UsageTotalOut,
)
from agents.schemas import (
    AgentDetailOut,
    AgentOut,
    AgentQuery,
    DeliveredOut,
    ExplainOut,
    NewAgent,
    NewAnswer,
    NewPrompt,
    PromptRun,
    PromptRunOut,
    RuntimeOut,
    StartedAgentOut,
    TranscriptOut,
    VoiceOut,
)
from agents.selectors import AgentFilter
from core.database import in_db
from core.rest import page_of_items
from core.wire import Page, Paging
from terminals import runtime
from terminals.models import Window
from terminals.runtime import main_tmux
from terminals.services import get_project, get_window

router = Router(by_alias=True, tags=["agents"])


@router.get("/agents", response=Page[AgentOut])
async def list_agents(
    request: HttpRequest, paging: Query[Paging], query: Query[AgentQuery]
) -> Page[AgentOut]:
    """The agents that run now, by name."""
    agents = await selectors.list_agents(AgentFilter.of(query.model_dump(by_alias=True)))
    return page_of_items([AgentOut.of(agent) for agent in agents.values()], paging)


@router.get("/runtimes", response=list[RuntimeOut])
async def list_runtimes(request: HttpRequest) -> list[RuntimeOut]:
    """The kinds of agents that can be started, installed ones first. Needs the scope to start."""
    return [RuntimeOut.of(program) for program in await starting.list_runtimes(tmux=main_tmux())]


@router.post("/agents/start", response={201: StartedAgentOut})
async def start_agent(request: HttpRequest, body: NewAgent) -> Status[StartedAgentOut]:
    """Start an agent in a new window, with hooks for this launch only, and send its first prompt.
    Nothing is answered for it: if it asks something first, the prompt is not sent."""
    started = await starting.start_agent(
        tmux=main_tmux(), data_dir=runtime.current().data_dir, **dict(body)
    )
    return Status(201, StartedAgentOut.of(started))


# Before the agent itself, because a name may contain a slash.
@router.get("/agents/{path:name}/explain", response=ExplainOut)
async def explain_agent(request: HttpRequest, name: str) -> ExplainOut:
    """What hook, journal, screen and process say about it, and who decided its state."""
    return await selectors.explain_agent(tmux=main_tmux(), name=name)


@router.post("/agents/{path:name}/prompt", response=DeliveredOut)
async def send_prompt(request: HttpRequest, name: str, body: NewPrompt) -> DeliveredOut:
    """Type a prompt and submit it. The receipt says what the screen showed of that."""
    agent = registry.current().find(name)
    receipt = await services.send_prompt(tmux=main_tmux(), agent=agent, **dict(body))
    return DeliveredOut.of(receipt)


@router.post("/agents/{path:name}/run", response=PromptRunOut)
async def run_prompt(request: HttpRequest, name: str, body: PromptRun) -> PromptRunOut:
    """Send a prompt, wait until its turn has ended or asks something, and return the reply."""
    agent = registry.current().find(name)
    return PromptRunOut.of_run(
        await services.run_prompt(tmux=main_tmux(), agent=agent, **dict(body))
    )


@router.post("/agents/{path:name}/answer", response=DeliveredOut)
async def answer_agent(request: HttpRequest, name: str, body: NewAnswer) -> DeliveredOut:
    """Answer the question that an agent is waiting with."""
    agent = registry.current().find(name)
    receipt = await services.answer_agent(tmux=main_tmux(), agent=agent, **dict(body))
    return DeliveredOut.of(receipt)


@router.get("/agents/{path:name}", response=AgentDetailOut)
async def get_agent(request: HttpRequest, name: str) -> AgentDetailOut:
    """One agent, with the memory and CPU time of its processes."""
    return AgentDetailOut.detailed(*await selectors.get_agent(name))


# --- voice ------------------------------------------------------------------------------------


@router.get("/voice", response=VoiceOut, tags=["voice"])
async def describe_voice(request: HttpRequest) -> VoiceOut:
    """Whether speech can be transcribed, and if not, which setting is missing."""
    reason = voice.describe_voice()
    return VoiceOut(available=not reason, reason=reason)


@router.post("/voice", response=TranscriptOut, tags=["voice"])
async def transcribe(request: HttpRequest, file: File[UploadedFile]) -> TranscriptOut:
    """The text of a recording of up to 10 MB. Only the configured server receives it."""
    return TranscriptOut(text=await voice.transcribe(speech=await voice.received(file)))


# --- chat -------------------------------------------------------------------------------------


async def _window(window: str) -> Window:
    return await get_window(tmux=main_tmux(), window=window)


@router.get("/windows/{window}/chat", response=ChatPageOut, tags=["chat"])
async def read_chat_history(
    request: HttpRequest, window: str, paging: Query[ChatPlace]
) -> ChatPageOut:
    """Every line that was submitted to a window, and every recorded capture of its output."""
    row = await _window(window)
    if (place := paging.moment()) is not None:
        page = await in_db(chat.read_chat_at)(window=row, **place)
    else:
        page = await in_db(chat.read_chat_history)(window=row, **paging.newest())
    return ChatPageOut.page(row, page.records, more=page.has_more, newer=page.has_newer)


@router.get("/windows/{window}/messages", response=MessagesPageOut, tags=["chat"])
async def read_chat_messages(
    request: HttpRequest, window: str, paging: Query[MessagePlace]
) -> MessagesPageOut:
    """The same as a conversation: from the journal of the agent, else from the screen."""
    row = await _window(window)
    if (place := paging.moment()) is not None:
        page = await chat.read_chat_messages_at(window=row, **paging.shown(), **place)
    else:
        page = await chat.read_chat_messages(window=row, **paging.shown(), **paging.newest())
    return MessagesPageOut.page(row, page.messages, more=page.has_more, newer=page.has_newer)


@router.get("/windows/{window}/usage", response=UsageTotalOut, tags=["chat"])
async def read_usage(request: HttpRequest, window: str) -> UsageTotalOut:
    """Tokens and cost of the conversations in a window, as far as the agents' journals say them."""
    return UsageTotalOut.total(await in_db(chat.read_usage)(window=await _window(window)))


@router.get("/usage", response=UsageTotalOut, tags=["chat"])
async def read_project_usage(request: HttpRequest, project: str) -> UsageTotalOut:
    """The same for all windows of a project."""
    row = await get_project(tmux=main_tmux(), project=project)
    return UsageTotalOut.total(await in_db(chat.read_project_usage)(project=row))


@router.get("/windows/{window}/summary", response=SummaryOut, tags=["chat"])
async def summarize_window(request: HttpRequest, window: str) -> SummaryOut:
    """What happened in a window, in bullets. `by` says who wrote them."""
    row = await _window(window)
    return SummaryOut.of(row, await summary.summarize_window(window=row))


@router.get("/chat", response=ChatFoundOut, tags=["chat"])
async def search_chat(request: HttpRequest, query: Query[ChatQuery]) -> ChatFoundOut:
    """Search the chat of all windows for words, "phrases" and prefixes (`wor*`), newest first."""
    row = await _window(query.window) if query.window else None
    matches = await in_db(chat.search_chat)(
        query=query.q, filters=query.filters(row), limit=query.limit, offset=query.offset
    )
    return ChatFoundOut.of(matches.records, has_more=matches.has_more)
