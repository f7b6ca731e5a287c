"""What is stored about tmux and survives its restart: projects, windows, uploads, recordings.

What a window shows and how large it is are never stored: only tmux knows that.
The column `life` identifies one run of a tmux server ("server run" elsewhere): tmux's ids are
unique only within a run.
"""

import hashlib
import secrets

from django.db import models
from django.db.models import Q
from django.utils import timezone

from core.row_versions import RowVersions

MAIN = "main"  # the user's own tmux server
NAME_LIMIT = 255
KEY_LENGTH = 10
WORKSPACE_ROWS = RowVersions()  # of Project and Window
KEY_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # no look-alikes such as 0 and o


def new_key() -> str:
    return "".join(secrets.choice(KEY_LETTERS) for _ in range(KEY_LENGTH))


def fit_session_name(name: str) -> str:
    """A session's name as a row can hold it: tmux has no limit, an index of a database does."""
    if len(name) <= NAME_LIMIT:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{name[: NAME_LIMIT - 32]}…{digest}"


class Project(models.Model):
    """A workspace: everything that belongs to one tmux session name. Outlives the session."""

    name = models.CharField(max_length=NAME_LIMIT, unique=True)
    # Empty: another session took over the name.
    session = models.CharField("tmux session", max_length=NAME_LIMIT, blank=True)
    server = models.CharField(max_length=16, default=MAIN)
    tmux_id = models.CharField("tmux id", max_length=16, blank=True)
    life = models.CharField(max_length=64, blank=True)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.UniqueConstraint(
                fields=("server", "session"),
                condition=~Q(session=""),
                name="one_project_per_session",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def alive(self) -> bool:
        """Whether it has a live window. Queries the windows unless they were prefetched."""
        return any(window.alive for window in self.windows.all())


class Window(models.Model):
    """A tmux window. Its key stays the same when tmux is restarted."""

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="windows")
    tmux_id = models.CharField("tmux id", max_length=16)
    life = models.CharField("life of tmux", max_length=64)
    index = models.PositiveIntegerField()
    name = models.TextField()  # set by any program, at any length
    active = models.BooleanField("shown by its session", default=False)
    alive = models.BooleanField(default=True)
    pinned = models.BooleanField("at the top of the sidebar", default=False)
    # Set when it ended while tmux kept running: no window of a later run is matched with it.
    closed_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)
    last_seen_at = models.DateTimeField("last change seen", default=timezone.now)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("project__name", "index", "pk")
        constraints = (
            models.UniqueConstraint(fields=("life", "tmux_id"), name="one_row_per_window"),
        )
        indexes = (
            models.Index(fields=("alive", "project"), name="window_alive"),
            models.Index(fields=("closed_at", "-last_seen_at"), name="window_orphans"),
        )

    def __str__(self) -> str:
        return f"{self.project.session}:{self.index} {self.name}"


class Attachment(models.Model):
    """A file that was uploaded to a window. Only its metadata: the content is never stored."""

    window = models.ForeignKey(Window, on_delete=models.CASCADE, related_name="attachments")
    at = models.DateTimeField(default=timezone.now, editable=False)
    name = models.CharField(max_length=NAME_LIMIT)
    mime = models.CharField(max_length=NAME_LIMIT, blank=True)
    size = models.PositiveBigIntegerField("bytes")
    pane = models.CharField(max_length=16)
    by = models.CharField(max_length=NAME_LIMIT, blank=True)

    class Meta:
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("window", "-at"), name="attachment_of_window"),)

    def __str__(self) -> str:
        return f"{self.name}, {self.size} bytes"


class RecordingState(models.TextChoices):
    RECORDING = "recording"
    DONE = "done"
    BROKEN = "broken"  # stopped by an error or a limit (see `problem`); can still be played


class Recording(models.Model):
    """What a pane printed, with times. The output itself is in files: recordings/files.py."""

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    # A recording outlives its window: its files are removed only by `delete_recording`.
    window = models.ForeignKey(
        Window, on_delete=models.SET_NULL, null=True, related_name="recordings"
    )
    pane = models.CharField("pane id", max_length=16)
    life = models.CharField("life of tmux", max_length=64)
    title = models.CharField(max_length=NAME_LIMIT)
    state = models.CharField(
        max_length=16, choices=RecordingState, default=RecordingState.RECORDING
    )
    problem = models.CharField("last error", max_length=NAME_LIMIT, blank=True)
    by = models.CharField("started by", max_length=120, blank=True)
    columns = models.PositiveIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField("bytes", default=0)
    duration = models.FloatField("seconds", default=0)
    version = models.PositiveIntegerField(default=1)
    started_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-started_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("life", "pane"),
                condition=Q(state="recording"),
                name="one_recording_per_pane",
            ),
        )

    def __str__(self) -> str:
        return self.title


class RecordingShare(models.Model):
    """A secret link to one recording. Only the hash of the secret is stored."""

    key = models.CharField(max_length=16, unique=True, default=new_key, editable=False)
    recording = models.ForeignKey(Recording, on_delete=models.CASCADE, related_name="shares")
    hash = models.CharField(max_length=64, unique=True, editable=False)
    by = models.CharField("made by", max_length=120, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()

    class Meta:
        ordering = ("expires_at",)

    def __str__(self) -> str:
        return f"{self.recording} until {self.expires_at:%Y-%m-%d %H:%M}"
