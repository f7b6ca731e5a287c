"""The languages of code in Notion: which it knows, and by what other names people write them.

Not a list of ours: Notion refuses a code block with any other name.
"""

PLAIN = "plain text"
_NAMES = """
abap abc agda arduino assembly bash basic bnf c c# c++ clojure coffeescript coq css dart dhall diff
docker ebnf elixir elm erlang f# flow fortran gherkin glsl go graphql groovy haskell hcl html idris
java javascript json julia kotlin latex less lisp livescript lua makefile markdown markup matlab
mermaid nix objective-c ocaml pascal perl php powershell prolog protobuf purescript python r racket
reason ruby rust sass scala scheme scss shell smalltalk solidity sql swift toml typescript vb.net
verilog vhdl webassembly xml yaml
"""
LANGUAGES = frozenset(_NAMES.split())
ALIASES = {
    "py": "python", "js": "javascript", "ts": "typescript", "sh": "shell", "zsh": "shell",
    "console": "shell", "yml": "yaml", "md": "markdown", "rb": "ruby", "rs": "rust",
    "cpp": "c++", "cs": "c#", "dockerfile": "docker", "make": "makefile", "tex": "latex",
}  # fmt: skip


def language(info: str) -> str:
    """Notion's name for what stands after a fence."""
    name = info.strip().lower()
    name = ALIASES.get(name, name)
    return name if name in LANGUAGES else PLAIN


def shown(name: str) -> str:
    """What stands after the fence of code in a language of Notion."""
    return "" if name == PLAIN else name
