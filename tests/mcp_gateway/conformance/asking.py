"""The suite's tools that request input before they answer, as 2026-07-28 defines it."""

from mcp.types import (
    CreateMessageResult,
    ElicitResult,
    InputRequest,
    ListRootsRequest,
    ListRootsResult,
    TextContent,
)

from tests.mcp_gateway.conformance.parts import (
    NAME,
    Ctx,
    Step,
    answered,
    ask,
    done,
    form,
    sample,
)


async def test_input_required_result_elicitation(ctx: Ctx) -> Step:
    answer = answered(ctx, "user_name")
    if not isinstance(answer, ElicitResult) or not answer.content:
        return ask(None, user_name=form("What is your name?", **NAME))
    return done(f"Hello, {answer.content.get('name')}!")


async def test_input_required_result_sampling(ctx: Ctx) -> Step:
    answer = answered(ctx, "capital_question")
    if not isinstance(answer, CreateMessageResult):
        return ask(None, capital_question=sample("What is the capital of France?", 100))
    return done(answer.content.text if isinstance(answer.content, TextContent) else "")


async def test_input_required_result_list_roots(ctx: Ctx) -> Step:
    answer = answered(ctx, "client_roots")
    if not isinstance(answer, ListRootsResult):
        return ask(None, client_roots=ListRootsRequest())
    return done(", ".join(str(root.uri) for root in answer.roots))


async def test_input_required_result_request_state(ctx: Ctx) -> Step:
    if answered(ctx, "confirm") is None or ctx.request_state != "begun":
        return ask("begun", confirm=form("Please confirm", ok={"type": "boolean"}))
    return done("state-ok")


async def test_input_required_result_tampered_state(ctx: Ctx) -> Step:
    return await test_input_required_result_request_state(ctx)


async def test_input_required_result_multiple_inputs(ctx: Ctx) -> Step:
    wanted: dict[str, InputRequest] = {
        "user_name": form("What is your name?", **NAME),
        "greeting": sample("Generate a greeting", 50),
        "client_roots": ListRootsRequest(),
    }
    if any(answered(ctx, key) is None for key in wanted):
        return ask("several", **wanted)
    return done("all answered")


async def test_input_required_result_multi_round(ctx: Ctx) -> Step:
    if ctx.request_state == "two" and answered(ctx, "step2") is not None:
        return done("finished")
    if ctx.request_state == "one" and answered(ctx, "step1") is not None:
        color = form("Step 2: What is your favorite color?", color={"type": "string"})
        return ask("two", step2=color)
    return ask("one", step1=form("Step 1: What is your name?", **NAME))


async def test_input_required_result_capabilities(ctx: Ctx) -> Step:
    response = ctx.client_capabilities
    wanted: dict[str, InputRequest] = {}
    if response is not None and response.sampling is not None:
        wanted["question"] = sample("What is the capital of France?", 100)
    if response is not None and response.elicitation is not None:
        wanted["user_name"] = form("What is your name?", **NAME)
    return ask(None, **wanted) if wanted else done("nothing to ask with")
