"""Every http route. The sockets are in config/asgi.py."""

from django.contrib import admin
from django.urls import path

from config.api import api
from config.health import healthz, readyz
from terminals.views import home

admin.site.site_header = "webtmux"
admin.site.site_title = "webtmux"
admin.site.index_title = "Workspaces"

urlpatterns = [
    path("", home, name="home"),
    path("api/", api.urls),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
]
