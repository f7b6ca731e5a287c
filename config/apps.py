"""The Django app. It starts nothing: see config/server/lifecycle.py."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "webtmux"
