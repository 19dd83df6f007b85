"""Commands by their requests: the fields of a frozen dataclass are a command's options, stated once.

A field whose type is a dataclass is a group of options. Commands share groups, and help shows each under its `panel`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand

__all__ = ["add_command"]

_GIVEN = "given"  # the field for the options that the command line names, with their values


def add_command(app: typer.Typer, run: Callable[[Any], int], epilog: str, panel: str | None = None) -> None:
    """Adds `run`, whose one parameter is its request, as the command of its name."""
    request = get_type_hints(run)["request"]

    def command(context: typer.Context, **values: Any) -> int:
        sources = {name: context.get_parameter_source(name) for name in values}
        given = {name: values[name] for name, source in sources.items() if source and source.name == "COMMANDLINE"}
        return run(_request(request, {**values, _GIVEN: given}))

    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    command.__signature__ = inspect.Signature([context, *_parameters(request)])  # type: ignore[attr-defined]
    command.__doc__ = run.__doc__
    app.command(run.__name__, epilog=epilog, cls=_Command, rich_help_panel=panel)(command)


def _parameters(request: Any) -> list[inspect.Parameter]:
    """A parameter for each option of a request and of its groups."""
    hints = get_type_hints(request, include_extras=True)
    parameters: list[inspect.Parameter] = []
    for field in fields(request):
        hint = hints[field.name]
        if is_dataclass(hint):
            parameters += _parameters(hint)
        elif field.name != _GIVEN:
            required = field.default is field.default_factory  # both are missing
            default = inspect.Parameter.empty if required else None if field.default_factory is list else field.default
            kind, option = get_args(hint)
            option = copy(option)
            option.rich_help_panel = option.rich_help_panel or getattr(request, "panel", None)
            parameters.append(
                inspect.Parameter(
                    field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
                )
            )
    return parameters


def _request(request: Any, values: Mapping[str, Any]) -> Any:
    """The request with the values of the command line; what was not given has the default of its field."""
    hints = get_type_hints(request)
    chosen = {}
    for field in fields(request):
        if is_dataclass(hints[field.name]):
            chosen[field.name] = _request(hints[field.name], values)
        elif values.get(field.name) is not None:
            chosen[field.name] = values[field.name]
    return request(**chosen)


class _Command(TyperCommand):
    """Help in plain text, with a section for each panel."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                panels.setdefault(getattr(parameter, "rich_help_panel", None) or kind, []).append(record)
        for panel, records in panels.items():
            with formatter.section(panel):
                formatter.write_dl(records)
