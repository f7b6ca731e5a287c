"""What `tools/list` shows of a tool: description, annotations, shortened schemas.

A model pays for every byte in each conversation, so redundant parts are removed.
"""

import inspect
from typing import Any

from mcp.server.mcpserver.tools import Tool as Published
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp.types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import BaseModel
from pydantic_core import to_json

from mcp_gateway.registry import Tool

Schema = dict[str, Any]  # JSON Schema nests freely
# Also in the server's instructions, but some clients (Copilot) do not show those to the model.
MODE_RULE = 'Acts only with mode "execute"; "plan" is refused.'
NOTHING = ("", None, False)  # defaults that need not be listed


class CompactResults(FuncMetadata):
    """Writes the text of a result as JSON on one line, where the SDK indents it."""

    def convert_result(self, result: object) -> CallToolResult | InputRequiredResult:
        # Content blocks such as images are models too, but have no output schema.
        if self.output_schema is None or not isinstance(result, BaseModel):
            return super().convert_result(result)
        structured = result.model_dump(mode="json", by_alias=True)
        text = TextContent(type="text", text=to_json(structured).decode())
        return CallToolResult(content=[text], structured_content=structured)


def publish(tool: Tool) -> Published:
    """A tool that returns text gets no output schema, which would only cost bytes."""
    plain = inspect.signature(tool.run, eval_str=True).return_annotation is str
    shown = Published.from_function(
        tool.run,
        description=_description(tool),
        annotations=_annotations(tool),
        structured_output=False if plain else None,
    )
    shown.parameters = short_input(shown.parameters)
    if shown.fn_metadata.output_schema is not None:
        shown.fn_metadata.output_schema = short_output(shown.fn_metadata.output_schema)
    if not tool.indented:
        shown.fn_metadata = CompactResults(**dict(shown.fn_metadata))
    return shown


def _description(tool: Tool) -> str:
    text = inspect.cleandoc(tool.run.__doc__ or "")
    return f"{text} {MODE_RULE}" if "mode" in tool.arguments else text


def _annotations(tool: Tool) -> ToolAnnotations:
    if tool.is_read_only:
        return ToolAnnotations(read_only_hint=True)
    return ToolAnnotations(destructive_hint=tool.destructive)


def short_input(schema: Schema) -> Schema:
    """Drop null from the types: arguments may be omitted, and null counts as omitted."""
    properties = schema.get("properties", {})
    return short({**schema, "properties": {k: _not_null(v) for k, v in properties.items()}})


def short_output(schema: Schema) -> Schema:
    """The fields of a result with their types, but not their inner structure.

    Weaker than the pydantic model by which the server validates every result.
    """
    fields = {name: _outside(part) for name, part in schema.get("properties", {}).items()}
    return {"type": "object", **({"properties": fields} if fields else {})}


def short(schema: Schema) -> Schema:
    """Remove titles, descriptions of models, and empty defaults."""
    kept = {key: _inside(key, value) for key, value in schema.items() if not _is_noise(key, schema)}
    names = [option.get("type") for option in kept.get("anyOf", ()) if set(option) == {"type"}]
    if names and len(names) == len(kept["anyOf"]):
        kept = {"type": names, **{k: v for k, v in kept.items() if k != "anyOf"}}
    return kept


def _is_noise(key: str, schema: Schema) -> bool:
    if key == "default":
        return schema[key] in NOTHING
    return key == "title" or (key == "description" and "properties" in schema)


def _inside(key: str, value: Any) -> Any:  # a part of a Schema
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
    """References and unions without a type are models, which are objects."""
    return str(schema.get("type", "object"))


def _not_null(schema: Schema) -> Schema:
    options = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(options) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return {**options[0], **rest}
    return {**schema, "anyOf": options} if options else schema
