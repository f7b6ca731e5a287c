"""How a tool is shown to a client: its description, its annotations, and schemas made short.

Every byte is paid for in each conversation of a model, so what says nothing is left out.
"""

import inspect
from typing import Any

from mcp.server.mcpserver.tools import Tool as Published
from mcp.types import ToolAnnotations

from mcp_gateway.registry import Tool

Schema = dict[str, Any]
NOTHING = ("", None, False)  # defaults that go without saying


def publish(tool: Tool) -> Published:
    """A tool that returns text gets no schema for it: no client asks for one, and it costs."""
    plain = inspect.signature(tool.run, eval_str=True).return_annotation is str
    shown = Published.from_function(
        tool.run,
        description=inspect.cleandoc(tool.run.__doc__ or ""),
        annotations=_annotations(tool),
        structured_output=False if plain else None,
    )
    shown.parameters = short_input(shown.parameters)
    if shown.fn_metadata.output_schema is not None:
        shown.fn_metadata.output_schema = short_output(shown.fn_metadata.output_schema)
    return shown


def _annotations(tool: Tool) -> ToolAnnotations:
    if tool.is_read_only:
        return ToolAnnotations(read_only_hint=True)
    return ToolAnnotations(destructive_hint=tool.destructive)


def short_input(schema: Schema) -> Schema:
    """Arguments may be left out, and null counts as left out (arguments.py): so null goes."""
    properties = schema.get("properties", {})
    return short({**schema, "properties": {k: _not_null(v) for k, v in properties.items()}})


def short_output(schema: Schema) -> Schema:
    """The fields of an answer with their types; what is inside of them shows itself in the answer.

    Weaker than the model, which the server itself checks every answer by.
    """
    fields = {name: _outside(part) for name, part in schema.get("properties", {}).items()}
    return {"type": "object", **({"properties": fields} if fields else {})}


def short(schema: Schema) -> Schema:
    """The same meaning without titles, descriptions of whole models, and empty defaults."""
    kept = {key: _inside(key, value) for key, value in schema.items() if not _is_noise(key, schema)}
    names = [option.get("type") for option in kept.get("anyOf", ()) if set(option) == {"type"}]
    if names and len(names) == len(kept["anyOf"]):
        kept = {"type": names, **{k: v for k, v in kept.items() if k != "anyOf"}}
    return kept


def _is_noise(key: str, schema: Schema) -> bool:
    if key == "default":
        return schema[key] in NOTHING
    return key == "title" or (key == "description" and "properties" in schema)


def _inside(key: str, value: Any) -> Any:
    if key in {"properties", "$defs"}:
        return {name: short(part) for name, part in value.items()}
    if isinstance(value, dict):
        return short(value)
    if isinstance(value, list):
        return [short(part) if isinstance(part, dict) else part for part in value]
    return value


def _outside(schema: Schema) -> Schema:
    types = [_type(option) for option in schema.get("anyOf", [schema])]
    kept = {key: value for key, value in schema.items() if key in {"enum", "const"}}
    return {"type": types[0] if len(types) == 1 else types, **kept}


def _type(schema: Schema) -> str:
    """A reference is to a model, and a union that has no type of its own is of models."""
    return str(schema.get("type", "object"))


def _not_null(schema: Schema) -> Schema:
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return {**options[0], **rest}
    return {**schema, "anyOf": options} if options else schema
