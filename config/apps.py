"""The Django app. It starts nothing: what lives with the process is in config/process.py."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "webtmux"

    def ready(self) -> None:
        from config import signing_in  # not before the models are loaded

        signing_in.connect()
