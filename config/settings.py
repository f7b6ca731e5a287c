"""Django's settings. What users can change comes from the environment, through env.py."""

from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext

from config.env import BASE_DIR, Env, channel_layer, database, secret_key, sqlite_path
from config.private_files import create_private

# Makes generic classes such as ModelAdmin[Project] work at run time, as django-stubs types them.
django_stubs_ext.monkeypatch()

WEBTMUX = Env.read()

SECRET_KEY = secret_key(WEBTMUX.data_dir)
DEBUG = WEBTMUX.debug
# config/gate/gate.py checks the Host of every request, with ports, before Django sees it.
ALLOWED_HOSTS = ["*"]

INSTALLED_APPS = [
    "config",
    "terminals",
    "agents",
    "notes",
    "mcp_gateway",
    "channels",
    "ninja",
    "django_vite",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "config.pages.middleware.protect",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

DATABASES = {"default": database(WEBTMUX)}
if not WEBTMUX.database_url:
    create_private(sqlite_path(WEBTMUX))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {"default": channel_layer(WEBTMUX)}

STATIC_URL = "static/"
STATIC_ROOT = Path(WEBTMUX.static_dir or WEBTMUX.data_dir / "static").absolute()
# Written by `vite build`, which `make run` runs (vite.config.ts).
BUILD = BASE_DIR / "frontend" / "dist"
STATICFILES_DIRS = [BUILD / "static", BASE_DIR / "frontend" / "static"]
VITE_MANIFEST = BUILD / "static" / ".vite" / "manifest.json"
VITE_SERVER = urlsplit(WEBTMUX.vite_server)
DJANGO_VITE = {
    "default": {
        "manifest_path": VITE_MANIFEST,
        "dev_mode": bool(VITE_SERVER.hostname),
        "dev_server_host": VITE_SERVER.hostname,
        "dev_server_port": VITE_SERVER.port,
    }
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.pages.static.Storage"},
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
# Browsers share cookies between the ports of a host, so each server needs different names. `serve`
# sets them again if the system chose the port (config/sign_in/sessions.py).
SESSION_COOKIE_NAME = f"webtmux_session_{WEBTMUX.port}"
CSRF_COOKIE_NAME = f"webtmux_csrf_{WEBTMUX.port}"
SESSION_COOKIE_HTTPONLY = True
# Lax: a link on another site opens a page for a signed-in user. Requests that change something also
# need our own Origin (config/gate/gate.py). config/pages/middleware.py adds `Secure` where the
# browser uses TLS.
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_TRUSTED_ORIGINS = [origin for origin in WEBTMUX.allowed_origins if "://" in origin]
X_FRAME_OPTIONS = "DENY"
# Not "no-referrer": browsers would then send `Origin: null` with our own forms.
SECURE_REFERRER_POLICY = "same-origin"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"redact": {"()": "config.logs.Redact"}},
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "stderr": {
            "class": "config.logs.BackgroundHandler",
            "formatter": "line",
            "filters": ["redact"],
        }
    },
    "root": {"handlers": ["stderr"], "level": WEBTMUX.log_level},
    "loggers": {
        "django": {"handlers": [], "level": WEBTMUX.log_level, "propagate": True},
        # Every request to Notion would be a line.
        "httpx": {"level": "WARNING"},
        # They log every request; our audit log has one line per call
        # (mcp_gateway/audit/recorder.py).
        "mcp": {"handlers": [], "level": "WARNING", "propagate": True},
        "httpx2": {"handlers": [], "level": "WARNING", "propagate": True},
        # Under uvicorn: its own handlers would write `?token=…` past the filter.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
    },
}
