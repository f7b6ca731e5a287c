"""An import-linter contract for pure modules: those whose docstring says "Pure.".

A pure module imports, directly or through others, none of the forbidden packages. The mark stands
in the module itself, so there is no list to maintain; `at_least` notices when marks disappear.
pyproject.toml names this class under `contract_types`.
"""

import ast
import re
from pathlib import Path
from typing import Any, cast

from grimp import ImportGraph
from importlinter import ContractCheck, fields, output
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.domain.imports import ModuleExpression

MARK = re.compile(r"\bPure[.,:]")


class PureContract(ForbiddenContract):
    type_name = "pure"

    source_modules = fields.SetField(subfield=fields.ModuleExpressionField(), required=False)
    at_least = fields.IntegerField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        marked = [name for name in graph.modules if is_marked(name)]
        missing = cast(int, self.at_least) - len(marked)
        if missing > 0:
            return ContractCheck(kept=False, metadata={"missing": missing})
        # import-linter sets the values of fields in the same way; its types do not say so.
        cast(Any, self).source_modules = {ModuleExpression(name) for name in marked}
        return super().check(graph, verbose)

    def render_broken_contract(self, check: ContractCheck) -> None:
        if missing := check.metadata.get("missing"):
            output.print_error(
                f'{missing} fewer modules say "Pure." than at_least in pyproject.toml demands:'
                " restore the marks, or lower the number if modules were merged."
            )
        else:
            super().render_broken_contract(check)


def is_marked(name: str) -> bool:
    path = Path(name.replace(".", "/")).with_suffix(".py")
    if not path.is_file():
        return False
    docstring = ast.get_docstring(ast.parse(path.read_text()))
    return docstring is not None and MARK.search(docstring) is not None
