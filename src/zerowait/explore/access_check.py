"""Access to the explorer: only the page that was opened by its whole address, on this machine."""

from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' "
    "'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",  # the address holds the token
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class AccessCheck:
    """A filter that serves only requests below `/token/`, by our own name and our own page."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"{name}:{port}" for name in (LOOPBACK, "localhost")}
        self.origins = {f"http://{host}" for host in self.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        refused = self._refusal(scope)
        if refused is not None:
            await PlainTextResponse(*refused)(scope, receive, send)
            return
        scope["path"] = scope["path"][len(self.token) + 1 :]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> tuple[str, int] | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return "wrong Host", 403
        if not set(headers.getlist("origin")) <= self.origins:
            return "wrong Origin", 403
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "asked by another site", 403
        path = scope["path"].encode()
        if not compare_digest(path[: len(self.token) + 2], f"/{self.token}/".encode()):
            return "wrong token: open the address that zerowait explore printed", 403
        if scope["method"] not in ("GET", "HEAD"):
            return "nothing can be changed here", 405
        return None
