"""Names of programs that forward connections: tunnels, relays, proxies. Pure.

Such a program is not the caller itself, so its uid says nothing about the caller.
WEBTMUX_FORWARDERS adds names. config/gate/relays.py also judges programs by what they do.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

# These start shells: a child process of one is a direct caller, while a connection of the daemon
# itself is a forwarded port.
LOGIN_DAEMONS = frozenset(
    {
        "sshd",
        "sshd-session",
        "sshd-auth",
        "dropbear",
        "tailscaled",
        "code-tunnel",
        "telnetd",
        "teleport",
    }
)
_NAMES = (
    # Tunnels.
    "ssh autossh sshuttle dbclient plink chisel rathole gost frpc frps ngrok cloudflared bore lt "
    "localtunnel localxpose loclx zrok pagekite sish inlets inletsctl tunnelmole tmole wstunnel "
    "tailscale tailscale-funnel netbird zerotier-one nebula headscale boringtun wireproxy "
    "telebit playit ktunnel telepresence tsh boundary devtunnel tunnelto expose portr "
    "holesail hypertele iodine dnscat2 ptunnel udp2raw jprq pgrok tor i2pd i2prouter yggdrasil "
    # Plain relays.
    "socat socat1 nc ncat netcat nc.openbsd nc.traditional simpleproxy rinetd redir balance pen "
    "xinetd inetd inetutils-inetd tcpserver portfwd tcpproxy tcptunnel 6tunnel pound "
    "systemd-socket-proxyd websockify redsocks proxychains proxychains4 microsocks danted 3proxy "
    "stunnel stunnel4 hitch ghostunnel mitmproxy mitmdump mitmweb "
    # Reverse proxies and web servers.
    "nginx openresty angie haproxy caddy traefik envoy apache2 httpd lighttpd varnishd h2o sozu "
    "pingora squid tinyproxy privoxy polipo traffic_server oauth2-proxy pomerium authelia "
    "http-proxy local-ssl-proxy configurable-http-proxy "
    # Containers and clusters.
    "kubectl oc minikube kubefwd docker-proxy rootlessport rootlesskit slirp4netns pasta "
    "pasta.avx2 passt passt.avx2 gvproxy vpnkit vpnkit-forwarder lima limactl colima wslrelay"
)
FORWARDERS = LOGIN_DAEMONS | frozenset(_NAMES.split())
INTERPRETERS = re.compile(
    r"python|pypy|node|nodejs|bun|deno|perl|ruby|php|java|lua|luajit|tclsh|guile|Rscript|mono"
    r"|dotnet|(ba|da|z|k|a|fi)?sh|busybox|toybox"
)
SCRIPT_ENDINGS = {".py", ".pyz", ".pyc", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".jar"}
DELETED = " (deleted)"
COMM_LENGTH = 15  # the kernel truncates process names


def forwarder_name(
    exe: str, comm: str, argv: Sequence[str], more: Collection[str] = (), *, daemons: bool = True
) -> str:
    """The name under which this program is known as a forwarder, or an empty string.

    `daemons`: whether programs that also start shells count.
    """
    known = {name.lower() for name in (*FORWARDERS, *more)}
    if not daemons:
        known -= LOGIN_DAEMONS
    cut = {name[:COMM_LENGTH]: name for name in known}
    for name in program_names(exe, argv):
        if name in known:
            return name
    return cut.get(comm.lower(), "")


def program_names(exe: str, argv: Sequence[str]) -> list[str]:
    """The names of a program: its file, its argv[0], and the script that it interprets."""
    file = PurePosixPath(exe.removesuffix(DELETED)).name
    # sshd and others overwrite their arguments with their state: `sshd: user [priv]`.
    started = PurePosixPath(argv[0].split(":")[0].split(" ")[0]).name if argv else ""
    names = [file, started.removeprefix("-")]
    if any(is_interpreter(name) for name in names):
        names += _script_names(argv[1:])
    return [name.lower() for name in names if name]


def is_interpreter(name: str) -> bool:
    """With or without a version, as in python3.11."""
    return INTERPRETERS.fullmatch(re.sub(r"[-\d.]+$", "", name)) is not None


def _script_names(arguments: Sequence[str]) -> list[str]:
    """The names of `relay.py`, `-m relay`, and of the package of a script below node_modules."""
    for number, word in enumerate(arguments):
        if word == "-m":
            return arguments[number + 1].split(".")[:1] if number + 1 < len(arguments) else []
        if word.startswith("-"):
            continue
        path = PurePosixPath(word)
        names = [path.stem if path.suffix in SCRIPT_ENDINGS else path.name]
        if "node_modules" in path.parts[:-1]:
            names.append(path.parts[path.parts.index("node_modules") + 1])
        return names
    return []
