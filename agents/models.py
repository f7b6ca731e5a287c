"""The prompts that were delivered to agents, and the chat of windows.

A delivery never holds the text, only its length and a keyed hash that shows whether two prompts are
the same. A chat record does hold text: what was submitted, and what the window showed. So does a
chat message, which comes from the journal of an agent.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from terminals.models import NAME_LIMIT, Window, new_key

KEY_LIMIT = 200  # characters of a caller's key


class Delivery(models.Model):
    """One prompt to one agent. The row is created before the first key is pressed."""

    receipt_id = models.CharField("id", max_length=16, unique=True, default=new_key, editable=False)
    agent = models.CharField(max_length=NAME_LIMIT)
    key = models.CharField(max_length=KEY_LIMIT, blank=True)
    digest = models.CharField("HMAC of the prompt", max_length=64)
    length = models.PositiveIntegerField("bytes")
    # Null: still running, or cut off by the end of the process.
    outcome = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    class Meta:
        verbose_name_plural = "deliveries"
        ordering = ("-created_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("agent", "key"), condition=~Q(key=""), name="one_delivery_per_key"
            ),
        )

    def __str__(self) -> str:
        return f"{self.receipt_id} to {self.agent}, {self.length} bytes"


class Role(models.TextChoices):
    USER = "user"
    ASSISTANT = "assistant"


class ChatRecord(models.Model):
    """One line that was submitted to a window, or one capture of its output since then.

    chat/transcript.py turns captures into messages, with the help of the fields after the text.
    """

    # A separate index would duplicate that of the constraint below.
    window = models.ForeignKey(
        Window, on_delete=models.CASCADE, related_name="chat", db_index=False
    )
    ts = models.BigIntegerField("ms since 1970")  # strictly increasing in a window
    role = models.CharField(max_length=16, choices=Role.choices)
    text = models.TextField()
    pane = models.CharField(max_length=16)
    runtime = models.CharField(max_length=32, blank=True)
    columns = models.PositiveIntegerField(default=0)
    top = models.BigIntegerField("number of its first row", null=True, blank=True)
    full = models.BooleanField("of a full-screen program", default=False)
    # Who pressed Enter, if that went through webtmux; empty: unknown.
    by = models.CharField(max_length=NAME_LIMIT, blank=True, db_default="")
    answer = models.BooleanField("to a dialog of an agent", default=False, db_default=False)

    class Meta:
        ordering = ("window", "ts")
        constraints = (
            models.UniqueConstraint(fields=("window", "ts"), name="one_record_per_moment"),
        )
        indexes = (
            models.Index(fields=("ts",), name="chat_ts"),
            # For the timeline, which selects prompts and the output of agents among many captures.
            models.Index(fields=("window", "role", "ts", "runtime"), name="chat_roles"),
        )

    def __str__(self) -> str:
        return f"{self.role} in {self.window_id} at {self.ts}, {len(self.text)} characters"


class AgentRun(models.Model):
    """One conversation of one agent process in a pane, as far as its journal was followed.

    While it lasts, the journal is the conversation of the pane, and not what the pane shows.
    """

    window = models.ForeignKey(Window, on_delete=models.CASCADE, related_name="runs")
    pane = models.CharField(max_length=16)
    runtime = models.CharField(max_length=32)
    session_id = models.CharField(max_length=KEY_LIMIT)
    started = models.BigIntegerField("ms since 1970")  # of the process
    ended = models.BigIntegerField("ms since 1970", null=True, blank=True)

    class Meta:
        ordering = ("window", "started")
        constraints = (
            models.UniqueConstraint(
                fields=("window", "pane", "session_id", "started"), name="one_run_per_process"
            ),
        )

    def __str__(self) -> str:
        return f"{self.runtime} in {self.window_id} from {self.started}"


class ChatMessage(models.Model):
    """One message of an agent's journal."""

    # A separate index would duplicate that of a constraint below.
    window = models.ForeignKey(
        Window, on_delete=models.CASCADE, related_name="messages", db_index=False
    )
    ts = models.BigIntegerField("ms since 1970")  # different for every message of a window
    key = models.CharField(max_length=KEY_LIMIT)  # the journal's own, so that none is stored twice
    pane = models.CharField(max_length=16)
    session_id = models.CharField(max_length=KEY_LIMIT)
    role = models.CharField(max_length=16, choices=Role.choices)
    kind = models.CharField(max_length=16)  # chat/journals/entries.py: MessageKind
    text = models.TextField()
    tool = models.JSONField(null=True, blank=True)  # name, input, outcome, status
    usage = models.JSONField(null=True, blank=True)  # input, output, cached, cost

    class Meta:
        ordering = ("window", "ts")
        constraints = (
            models.UniqueConstraint(fields=("window", "ts"), name="one_message_per_moment"),
            models.UniqueConstraint(fields=("window", "key"), name="one_message_per_key"),
        )
        indexes = (models.Index(fields=("ts",), name="message_ts"),)

    def __str__(self) -> str:
        return f"{self.role} in {self.window_id} at {self.ts}, {len(self.text)} characters"
