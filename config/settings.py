"""Django's settings. What a person may change comes from the environment, through env.py."""

from pathlib import Path

from config.env import BASE_DIR, Env, channel_layer, database, secret_key
from config.private_files import create_private

WEBTMUX = Env.read()

SECRET_KEY = secret_key(WEBTMUX.data_dir)
DEBUG = WEBTMUX.debug
# config/gate.py checks the Host of every request, with ports, before Django sees it.
ALLOWED_HOSTS = ["*"]

INSTALLED_APPS = [
    "config",
    "terminals",
    "agents",
    "notes",
    "mcp_gateway",
    "channels",
    "ninja",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
]
MIDDLEWARE = [
    "config.pages.protect",
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
    create_private(DATABASES["default"]["NAME"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {"default": channel_layer(WEBTMUX)}

STATIC_URL = "static/"
STATIC_ROOT = Path(WEBTMUX.static_dir or WEBTMUX.data_dir / "static").absolute()
STATICFILES_DIRS = [BASE_DIR / "frontend"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.static.Storage"},
}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
# Cookies are shared by all ports of a host: each server needs names of its own. `serve` sets them
# again for a port that the system chose (config/sessions.py).
SESSION_COOKIE_NAME = f"webtmux_session_{WEBTMUX.port}"
CSRF_COOKIE_NAME = f"webtmux_csrf_{WEBTMUX.port}"
SESSION_COOKIE_HTTPONLY = True
# Lax: a link on another site shows a page to a person who is signed in. What acts needs an Origin
# of ours as well (config/gate.py). config/pages.py adds `Secure` where the browser speaks TLS.
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
        # They tell of every request; ours is one line for each call (mcp_gateway/audit.py).
        "mcp": {"handlers": [], "level": "WARNING", "propagate": True},
        "httpx2": {"handlers": [], "level": "WARNING", "propagate": True},
        # Under uvicorn: its own handlers would write `?token=…` past the filter.
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
    },
}
