"""Hostile program output: mutated escape sequences, reproducible by seed.

A program in a real pane prints it; the tests check what happens in the page.
"""

import base64
import random
import shlex
import sys
from pathlib import Path
from textwrap import dedent

ESC, ST = "\x1b", "\x1b\\"
_OFFER = base64.b64encode(b"hostile").decode()
_RUN = "window.hostile=1"
# Queries that terminals answer, clipboard access, links, titles, modes, and markup.
SEEDS = tuple(
    seed.encode()
    for seed in (
        *(ESC + query for query in (
            "[c", "[>c", "[=c", "Z", "[5n", "[6n", "[?6n", "[?996n", "[?1$p", "[4$p", "[>q", "[?u",
            "[14t", "[18t", "[20t", "[21t", "[x", "[1;1;1;1;1;1*y", "[8;1;1t", "[3;0;0t", "[5i",
            "P$qm" + ST, "P+q544e" + ST, "]4;1;?" + ST, "]10;?\a", "]11;?\a", "]52;c;?\a",
            f"]52;c;{_OFFER}\a", f"]52;p;{_OFFER}" + ST, f"]1337;Copy=:{_OFFER}\a",
            f"]8;;javascript:{_RUN}\alink{ESC}]8;;\a",
            f"]8;;data:text/html,<script>{_RUN}</script>\ax{ESC}]8;;\a",
            f"]0;<img src=x onerror={_RUN}>\a", f"]2;{ESC}[c\a", "]9;4;1;50\a", "]777;notify;a;b\a",
            "[?1000h", "[?1003h", "[?1006h", "[?1004h", "[?2004h", "[?1049h", "[?9001h", "[>1u",
            "[=1u",
            "[200~", "[201~", "[1;1r", "[999999999C", "[2147483648A", "[38;2;1;2;3;4;5;6m", "#8",
            "]66;s=7;x\a", "_Gf=100,a=T;AAAA" + ST, "Pq#0;2;0;0;0~-" + ST, "[!p", "[?3h",
            "(0", "N", "O",
        )),
        f"<img src=x onerror={_RUN}><script>{_RUN}</script>", f"javascript:{_RUN}",
        "\u202e\u2066\u200b\ufeff",
        "\x05\x05", "\x9b6n\x9dc\x9c", "\x00\x7f\x18\x1a",
    )
)  # fmt: skip
# Prints the given bytes, and saves its input until a stop file exists.
PROGRAM = dedent("""
    import os, select, sys, termios, tty
    mutants, received, stop = sys.argv[1:]
    original = termios.tcgetattr(0)
    tty.setraw(0)
    data = open(mutants, 'rb').read()
    with open(received, 'wb', buffering=0) as file:
        def save_input(seconds):
            if select.select([0], [], [], seconds)[0]:
                file.write(os.read(0, 65536))
        for start in range(0, len(data), 512):
            os.write(1, data[start:start + 512])
            save_input(0)
        os.write(1, b'\\x18\\x1b\\\\\\x1bc\\x1b[?1049lthe end\\r\\n')
        while not os.path.exists(stop):
            save_input(0.1)
    termios.tcsetattr(0, termios.TCSADRAIN, original)
""")


def mutants(count: int, seed: int = 7) -> list[bytes]:
    generator = random.Random(seed)
    return [_mutated(generator) for _ in range(count)]


def command(directory: Path, outputs: list[bytes], name: str) -> tuple[str, Path, Path]:
    """The command for a pane, the file with its input, and the file that stops it."""
    program, data = directory / "hostile_pane.py", directory / f"{name}.mutants"
    received, stop = directory / f"{name}.back", directory / f"{name}.stop"
    program.write_text(PROGRAM)
    data.write_bytes(b"\r\n".join(outputs))
    words = [sys.executable, str(program), str(data), str(received), str(stop)]
    return f"exec {shlex.join(words)}", received, stop


def _mutated(generator: random.Random) -> bytes:
    text = bytearray(b"".join(generator.choice(SEEDS) for _ in range(generator.randrange(1, 4))))
    for _ in range(generator.randrange(0, 6)):
        index = generator.randrange(len(text)) if text else 0
        match generator.randrange(6):
            case 0:
                text[index:index] = bytes([generator.randrange(256)])
            case 1:
                del text[index : index + generator.randrange(1, 4)]
            case 2 if text:
                text[index] ^= 1 << generator.randrange(8)
            case 3:
                text[index:index] = generator.choice(SEEDS)
            case 4:
                text[index:index] = str(
                    generator.choice([0, -1, 2**31, 2**63, 9 * 10**30])
                ).encode()
            case _:
                text += text[index : index + 20] * generator.randrange(1, 20)
    return bytes(text)
