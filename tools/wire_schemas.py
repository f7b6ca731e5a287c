"""`python -m tools.wire_schemas`: the OpenAPI documents of REST and of the socket, as JSON.

tools/wire_types.mjs makes TypeScript types of them (`make wire-types`).
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import django

REF = "#/components/schemas/"
ABSENT = "x-may-be-absent"
Schemas = dict[str, dict[str, Any]]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    json.dump({"api": rest(), "socket": socket()}, sys.stdout)


def without_titles(value: Any) -> Any:
    """Titles repeat the names of the fields; they would be comments in the types."""
    match value:
        case dict():
            return {
                key: without_titles(each)
                for key, each in value.items()
                if key != "title" or not isinstance(each, str)
            }
        case list():
            return [without_titles(each) for each in value]
        case _:
            return value


def rest() -> dict[str, Any]:
    from config.api import api

    document: dict[str, Any] = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    document.pop("servers", None)
    operations = [
        operation
        for path in document["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
    ]
    schemas = document["components"]["schemas"] = without_titles(document["components"]["schemas"])
    requested = [
        [operation.get("requestBody"), operation.get("parameters")] for operation in operations
    ]
    responses = [operation["responses"] for operation in operations]
    require_all(schemas, reached(schemas, responses) - reached(schemas, requested))
    return document


def socket() -> dict[str, Any]:
    from pydantic.json_schema import models_json_schema

    from agents import ws as agents
    from notes import ws as notes
    from terminals import ws as terminals

    exchanges = {**terminals.EXCHANGES, **agents.EXCHANGES, **notes.EXCHANGES}
    events = [*terminals.EVENTS, *agents.EVENTS, *notes.EVENTS]
    requests = dict.fromkeys(exchange.request for exchange in exchanges.values())
    sent = dict.fromkeys([*(exchange.response for exchange in exchanges.values()), *events])
    names, definitions = models_json_schema(
        [
            *((model, "validation") for model in requests),
            *((model, "serialization") for model in sent),
        ],
        ref_template=REF + "{model}",
    )
    schemas: Schemas = without_titles(definitions["$defs"])
    require_all(schemas, reached(schemas, [names[model, "serialization"] for model in sent]))
    schemas["Requests"] = table(
        {kind: names[each.request, "validation"] for kind, each in exchanges.items()}
    )
    schemas["Responses"] = table(
        {kind: names[each.response, "serialization"] for kind, each in exchanges.items()}
    )
    schemas["SocketEvent"] = {"oneOf": [names[event, "serialization"] for event in events]}
    info = {"title": "The messages of the socket", "version": "1"}
    return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}


def table(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def require_all(schemas: Schemas, names: Iterable[str]) -> None:
    """What we send is complete: fields with a default are sent too."""
    for name in names:
        properties = schemas[name].get("properties", {})
        required = [key for key, field in properties.items() if not field.pop(ABSENT, False)]
        if required:
            schemas[name]["required"] = required


def reached(schemas: Schemas, start: Any) -> set[str]:
    """The names of the schemas that `start` refers to, directly and through others."""
    names: set[str] = set()
    waiting = [start]
    while waiting:
        match waiting.pop():
            case dict() as value:
                waiting += value.values()
                reference = value.get("$ref", "")
                if isinstance(reference, str) and reference.startswith(REF):
                    name = reference.removeprefix(REF)
                    if name not in names:
                        names.add(name)
                        waiting.append(schemas[name])
            case list() as values:
                waiting += values
    return names


if __name__ == "__main__":
    main()
