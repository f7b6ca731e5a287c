"""send_prompt and answer_agent: receipts, keys that make retries harmless, answers."""

import asyncio
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from agents import services
from agents.delivery import answers, idempotency
from agents.delivery.receipts import DeliveryOutcome, Receipt
from agents.models import Delivery
from agents.schemas import DeliveredOut
from agents.screen.menus import Option
from core.database import in_db
from core.errors import Ambiguous, Invalid, Refused
from terminals.tmux.driver import Tmux
from tests.agents.delivery.deliveries import agent_of
from tests.agents.fakes.launch import ENDLESS, Fake, launch
from tests.waiting import eventually

database = pytest.mark.django_db(transaction=True)
OPTIONS = (
    Option(1, "Yes", selected=True),
    Option(2, "Yes, and don't ask again"),
    Option(3, "No", key="esc"),
)


async def send(tmux: Tmux, fake: Fake, prompt: str, key: str = "") -> Receipt:
    return await services.send_prompt(tmux=tmux, agent=agent_of(fake), prompt=prompt, key=key)


async def rows() -> list[Delivery]:
    return await in_db(lambda: list(Delivery.objects.order_by("pk")))()


@database
async def test_the_response_contains_a_receipt(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", turn=ENDLESS)
    began = time.monotonic()
    message: Any = DeliveredOut.of(await send(tmux, fake, "hello")).message()
    elapsed_ms = (time.monotonic() - began) * 1000
    receipt = message["receipt"]
    assert message == {"ok": True, "receipt": receipt}
    assert receipt == {
        "id": (await rows())[0].receipt_id,
        "pasted": True,
        "submitted": True,
        "turnStarted": True,
        "attempts": 1,
        "ms": receipt["ms"],
        "became": "prompt",
        "confirmedBy": "screen",
        "exact": None,
        "altered": "",
        "turn": receipt["id"],
    }
    assert 0 < receipt["ms"] <= elapsed_ms


@database
@pytest.mark.usefixtures("quick_retries")
async def test_a_failure_is_not_ok_and_quotes_the_composer(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["enter-never"])
    message: Any = DeliveredOut.of(await send(tmux, fake, "a secret plan")).message()
    assert message["ok"] is False
    assert message["error"] == "the prompt was not seen to leave the composer: 'a secret plan'"
    assert message["receipt"]["submitted"] is False


@database
@pytest.mark.usefixtures("quick_retries")
@pytest.mark.parametrize("faults", [(), ("enter-never",)], ids=["submitted", "failed"])
async def test_the_text_of_a_prompt_is_neither_stored_nor_logged(
    tmux: Tmux, tmp_path: Path, caplog: pytest.LogCaptureFixture, faults: tuple[str, ...]
) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=faults)
    with caplog.at_level("DEBUG"):
        await send(tmux, fake, "a secret plan", key="k")
    [row] = await rows()
    stored = " ".join(str(getattr(row, field.name)) for field in Delivery._meta.fields)
    assert "secret" not in stored
    assert "secret" not in caplog.text
    assert row.length == len("a secret plan")


@database
async def test_a_retry_with_the_same_key_sends_nothing(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    first = await send(tmux, fake, "once", key="k")
    second = await send(tmux, fake, "once", key="k")
    assert first == second
    assert first.ok
    assert fake.prompts == [b"once"]


@database
async def test_the_same_prompt_without_a_key_is_sent_again(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    assert (await send(tmux, fake, "twice")).ok
    assert (await send(tmux, fake, "twice")).ok
    assert fake.prompts == [b"twice", b"twice"]


@database
async def test_concurrent_retries_wait_for_the_first(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "codex", faults=["slow-paint"])
    receipts = await asyncio.gather(*(send(tmux, fake, "once", key="k") for _ in range(5)))
    assert len({receipt.id for receipt in receipts}) == 1
    assert all(receipt.ok for receipt in receipts)
    assert fake.prompts == [b"once"]


@database
async def test_a_delivery_continues_when_its_caller_disconnects(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["slow-paint"])
    caller = asyncio.create_task(send(tmux, fake, "once", key="k"))

    async def claimed() -> bool:
        return bool(await rows())

    await eventually(claimed)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert (await send(tmux, fake, "once", key="k")).ok
    assert fake.prompts == [b"once"]


@database
async def test_a_delivery_continues_when_its_caller_disconnects_during_the_claim(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim is stored in a thread, and cannot be taken back."""
    fake = await launch(tmux, tmp_path, "claude")
    claiming, claim = threading.Event(), idempotency.claim

    def slow_claim(**fields: str) -> tuple[Delivery, bool]:
        claiming.set()
        left.wait(10)
        return claim(**fields)

    left = threading.Event()
    monkeypatch.setattr(idempotency, "claim", slow_claim)
    caller = asyncio.create_task(send(tmux, fake, "once", key="k"))
    await asyncio.to_thread(claiming.wait, 10)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    left.set()
    assert (await send(tmux, fake, "once", key="k")).ok
    assert fake.prompts == [b"once"]


@database
async def test_nothing_is_sent_again_after_a_restart_during_a_delivery(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process ended after the claim, so it is unknown whether Enter was pressed."""
    monkeypatch.setattr(services, "WAIT_SECONDS", 0.3)
    fake = await launch(tmux, tmp_path, "claude")
    await in_db(idempotency.claim)(agent=fake.name, key="k", prompt="once")
    receipt = await send(tmux, fake, "once", key="k")
    assert (receipt.ok, receipt.error) == (False, services.CUT_OFF)
    assert fake.prompts == []


@database
async def test_a_retry_after_a_restart_gets_the_first_receipt(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    row, _ = await in_db(idempotency.claim)(agent=fake.name, key="k", prompt="once")
    outcome = DeliveryOutcome(pasted=True, submitted=True, turn_started=True, attempts=2, ms=700)
    await in_db(idempotency.finish)(row=row, outcome=outcome)
    assert await send(tmux, fake, "once", key="k") == Receipt(row.receipt_id, outcome)
    assert fake.prompts == []


@pytest.mark.django_db
def test_a_key_expires_after_ten_minutes() -> None:
    row, is_ours = idempotency.claim(agent="a", key="k", prompt="once")
    assert is_ours
    Delivery.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(minutes=11))
    again, is_ours = idempotency.claim(agent="a", key="k", prompt="once")
    assert is_ours
    assert again.pk != row.pk


@pytest.mark.django_db
def test_a_key_is_valid_for_nine_minutes() -> None:
    row, _ = idempotency.claim(agent="a", key="k", prompt="once")
    Delivery.objects.filter(pk=row.pk).update(created_at=timezone.now() - timedelta(minutes=9))
    assert idempotency.claim(agent="a", key="k", prompt="once") == (row, False)


@pytest.mark.django_db
def test_old_deliveries_are_deleted() -> None:
    old, _ = idempotency.claim(agent="job", key="", prompt="long ago")
    Delivery.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=31))
    new, _ = idempotency.claim(agent="job", key="", prompt="now")
    assert list(Delivery.objects.values_list("pk", flat=True)) == [new.pk]


@pytest.mark.django_db
def test_a_key_belongs_to_one_agent_and_one_prompt() -> None:
    idempotency.claim(agent="a", key="k", prompt="once")
    assert idempotency.claim(agent="b", key="k", prompt="once")[1]
    with pytest.raises(Refused, match="another prompt"):
        idempotency.claim(agent="a", key="k", prompt="other")


@pytest.mark.django_db
@pytest.mark.parametrize(("attempts", "again"), [(0, True), (1, False)])
def test_a_failed_delivery_is_retried_only_if_enter_was_never_pressed(
    attempts: int, again: bool
) -> None:
    row, _ = idempotency.claim(agent="a", key="k", prompt="once")
    idempotency.finish(
        row=row, outcome=DeliveryOutcome(pasted=True, attempts=attempts, error="why")
    )
    assert idempotency.claim(agent="a", key="k", prompt="once")[1] is again


@pytest.mark.django_db
def test_deliveries_are_read_only_in_the_admin(admin_client: Client) -> None:
    row, _ = idempotency.claim(agent="a", key="k", prompt="a secret plan")
    idempotency.finish(row=row, outcome=DeliveryOutcome(submitted=True, attempts=1, ms=5))
    idempotency.claim(agent="a", key="", prompt="under way")
    listed = admin_client.get("/admin/agents/delivery/")
    assert (listed.status_code, b"secret" in listed.content) == (200, False)
    page = f"/admin/agents/delivery/{row.pk}/change/"
    assert admin_client.get(page).status_code == 200
    assert admin_client.post(page, {"agent": "b"}).status_code == 403
    assert admin_client.get("/admin/agents/delivery/add/").status_code == 403


# --- answers ----------------------------------------------------------------------------------


async def asking(tmux: Tmux, directory: Path, runtime: str, *faults: str) -> Fake:
    fake = await launch(tmux, directory, runtime, faults=["dialog", *faults])

    async def asks() -> bool:
        screen = (await tmux.capture(fake.pane_id)).decode()
        return "1. Yes" in screen or "[y/N]" in screen

    await eventually(asks)
    return fake


@database
@pytest.mark.parametrize("runtime", ["claude", "codex", "gemini"])
@pytest.mark.parametrize("number", [1, 2, 3])
async def test_a_question_is_answered_by_the_number_of_an_option(
    tmux: Tmux, tmp_path: Path, runtime: str, number: int
) -> None:
    fake = await asking(tmux, tmp_path, runtime)
    receipt = await services.answer_agent(tmux=tmux, agent=agent_of(fake), answer=str(number))
    assert receipt.ok
    assert len(fake.answers) == 1
    assert fake.answers[0].startswith(("Yes", "Yes", "No")[number - 1])


@database
@pytest.mark.parametrize(("word", "chosen"), [("yes", "yes"), ("n", "no"), ("2", "no")])
async def test_a_plain_question_is_answered_by_its_letter(
    tmux: Tmux, tmp_path: Path, word: str, chosen: str
) -> None:
    fake = await asking(tmux, tmp_path, "amp")
    receipt = await services.answer_agent(tmux=tmux, agent=agent_of(fake), answer=word)
    assert receipt.ok
    assert fake.answers == [chosen]


@database
async def test_a_slow_dialog_is_answered_once(tmux: Tmux, tmp_path: Path) -> None:
    fake = await asking(tmux, tmp_path, "claude", "slow-paint")
    receipt = await services.answer_agent(tmux=tmux, agent=agent_of(fake), answer="No, and tell")
    assert receipt.ok
    assert fake.answers == ["No, and tell Claude what to do differently (esc)"]


@database
async def test_an_agent_that_asks_nothing_receives_no_key(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    with pytest.raises(Refused, match="asks nothing"):
        await services.answer_agent(tmux=tmux, agent=agent_of(fake), answer="1")


@database
async def test_an_answer_to_another_question_is_refused(tmux: Tmux, tmp_path: Path) -> None:
    fake = await asking(tmux, tmp_path, "claude")
    with pytest.raises(Refused, match="something else"):
        await services.answer_agent(
            tmux=tmux, agent=agent_of(fake), answer="1", question="Delete everything?"
        )
    assert fake.answers == []


@pytest.mark.parametrize(
    ("answer", "number"),
    [("2", 2), ("yes", 1), ("YES, and don't ask again", 2), ("esc", 3), ("no", 3), (" 3 ", 3)],
)
def test_an_option_is_chosen_by_number_words_or_key(answer: str, number: int) -> None:
    assert answers.choose(OPTIONS, answer).number == number


def test_an_answer_that_matches_no_option_or_several_is_refused() -> None:
    with pytest.raises(Invalid, match="none of the options: 1 'Yes'"):
        answers.choose(OPTIONS, "maybe")
    with pytest.raises(Ambiguous):
        answers.choose(OPTIONS, "ye")
    with pytest.raises(Invalid):
        answers.choose(OPTIONS, "")
