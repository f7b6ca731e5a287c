"""Every http route. The sockets are in config/asgi.py."""

from django.conf import settings
from django.contrib import admin
from django.urls import path

from config import debug
from config.api import api
from config.component import component
from config.health import healthz, readyz
from config.sign_in import sign_in
from config.signing_in import limited
from mcp_gateway.views import connect
from terminals import installing
from terminals.recording_views import (
    player,
    shared_cast,
    shared_detail,
    shared_player,
    shared_search,
)
from terminals.views import home

admin.site.site_header = "webtmux"
admin.site.site_title = "webtmux"
admin.site.index_title = "Workspaces"

routes: list[debug.Route] = [
    path("", home, name="home"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("sw.js", installing.worker, name="worker"),
    path("offline", installing.offline, name="offline"),
    path("login", limited(sign_in), name="login"),
    path("connect", connect, name="connect"),
    path("recordings/<str:key>", player, name="player"),
    path("shared/<str:key>", shared_player, name="shared"),
    path("shared/<str:key>/detail", shared_detail, name="shared-detail"),
    path("shared/<str:key>/cast", shared_cast, name="shared-cast"),
    path("shared/<str:key>/search", shared_search, name="shared-search"),
    path("api/", api.urls),
    path("admin/login/", limited(admin.site.login)),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("tmux-adapter-web/<path:name>", component, name="component"),
]
# With --debug-serve-dir a developer's own pages stand around them.
urlpatterns = debug.around(routes, settings.WEBTMUX.debug_serve_dir)
