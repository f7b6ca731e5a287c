"""REST: a sign-in link for another device."""

from django.conf import settings
from django.http import HttpRequest
from ninja import Router, Status

from config.sign_in import phone
from core import callers
from core.wire import Wire

router = Router(by_alias=True, tags=["sign-in"])


class SignInLinkOut(Wire):
    address: str
    minutes: int
    image: str


@router.post("/sign-in-links", response={201: SignInLinkOut})
def create_sign_in_link(request: HttpRequest) -> Status[SignInLinkOut]:
    """An address with a one-time code that signs another browser in as the same user."""
    link = phone.create_sign_in_link(
        caller=callers.current().principal,
        origin=request.headers.get("Origin", ""),
        env=settings.WEBTMUX,
        port=int(request.get_port()),
    )
    return Status(201, SignInLinkOut(address=link.address, minutes=link.minutes, image=link.image))
