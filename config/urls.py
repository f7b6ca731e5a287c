"""All HTTP routes of Django. /mcp and the sockets are in config/asgi.py."""

from django.conf import settings
from django.contrib import admin
from django.urls import path, re_path

from config.api import api, no_such_path
from config.health import healthz, readyz
from config.pages import developer_files
from config.pages.component import component
from config.sign_in.limits import limited
from config.sign_in.views import sign_in
from mcp_gateway.views import connect
from terminals.page import pwa
from terminals.recordings.views import (
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

routes: list[developer_files.Route] = [
    path("", home, name="home"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.worker, name="worker"),
    path("offline", pwa.offline, name="offline"),
    path("login", limited(sign_in), name="login"),
    path("connect", connect, name="connect"),
    path("recordings/<str:key>", player, name="player"),
    path("shared/<str:key>", shared_player, name="shared"),
    path("shared/<str:key>/detail", shared_detail, name="shared-detail"),
    path("shared/<str:key>/cast", shared_cast, name="shared-cast"),
    path("shared/<str:key>/search", shared_search, name="shared-search"),
    path("api/", api.urls),
    re_path(r"^api(?:/|$)", no_such_path),
    path("admin/login/", limited(admin.site.login)),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("tmux-adapter-web/<path:name>", component, name="component"),
]
urlpatterns = developer_files.routes_with_log(routes, settings.WEBTMUX.debug_serve_dir)
