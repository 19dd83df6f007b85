"""Calls of functions of the same file: their bodies are executed in place."""

from __future__ import annotations

from typing import Any

from porter.frontend.cpp.expressions import Call, Expr, Name, Unreadable, parse
from porter.proofs.calls import Calls
from porter.proofs.program import Parameter, Refused, Routine
from porter.proofs.state import Frame, Local, Vec
from porter.proofs.values import fingerprint, symbol

__all__ = ["Inlining"]

_DEEPEST = 12


class Inlining(Calls):
    """Binds parameters and template parameters, and joins what the returns give."""

    def inline(self, node: Call, name: str, active: list[int]) -> Vec:
        routine = self.pick(name, node)
        if len(self.frames) > _DEEPEST:
            raise Refused(node.index, f"{name} calls itself")
        frame = Frame(routine, {}, {})
        self.bind_template(routine, frame, node, active)
        copied: list[tuple[Expr, Local]] = []
        for number, parameter in enumerate(routine.parameters):
            if number < len(node.arguments):
                self.bind(frame, parameter, node.arguments[number], active, copied)
        saved = self.guard, list(self.own_guard)
        self.frames.append(frame)
        for parameter in routine.parameters[len(node.arguments) :]:
            assert parameter.default is not None
            values: Vec = [symbol("unset")] * self.threads
            for t, v in zip(active, self.evaluate(parameter.default, active)):
                values[t] = v
            frame.scopes[0][parameter.name] = Local(parameter.name, self.type_named(parameter.type), values)
        loops, self.loops = self.loops, []
        self.run(routine.body, active)
        self.loops = loops
        self.frames.pop()
        self.guard, self.own_guard = saved
        for argument, local in copied:
            self.assign(argument, [local.values[t] for t in active], active, node.index)
        result: dict[int, Any] = {}
        for threads, conditions, values in reversed(frame.results):
            for t, c, v in zip(threads, conditions, values):
                result[t] = self.choose(c, v, result[t]) if t in result else v
        return [result.get(t, 0) for t in active]

    def pick(self, name: str, node: Call) -> Routine:
        given = len(node.arguments)
        fitting = []
        for function in self.program.functions[name]:
            routine = self.program.routine(function)
            needed = sum(p.default is None for p in routine.parameters)
            if needed <= given <= len(routine.parameters):
                fitting.append(routine)
        if len(fitting) != 1:
            raise Refused(node.index, f"{name} is overloaded")
        return fitting[0]

    def bind_template(self, routine: Routine, frame: Frame, node: Call, active: list[int]) -> None:
        file = self.program.file
        given: list[tuple[int, int]] = []
        if node.template is not None:
            begin = node.template[0]
            depth = 0
            for k in range(*node.template):
                text = file.tokens[k].text
                depth += (text in ("<", "(")) - (text in (">", ")"))
                if text == "," and depth == 0:
                    given.append((begin, k))
                    begin = k + 1
            given.append((begin, node.template[1]))
        for number, parameter in enumerate(routine.template):
            span = given[number] if number < len(given) else None
            if parameter.is_type:
                if span is not None:
                    frame.types[parameter.name] = self.type_named(" ".join(file.tokens[k].text for k in range(*span)))
                else:
                    frame.types[parameter.name] = next(
                        (
                            self.type_of(argument)
                            for p, argument in zip(routine.parameters, node.arguments)
                            if p.type == parameter.name
                        ),
                        "?",
                    )
                continue
            span = span or parameter.default
            value: Any = symbol("template", parameter.name, len(self.frames))
            if span is not None and span[1] > span[0]:
                try:
                    values = self.evaluate(parse(file, *span, self.program.types), active)
                except Unreadable as problem:
                    raise Refused(problem.index, problem.what) from None
                if len({fingerprint(v) for v in values}) == 1:
                    value = values[0]
            if type(value) is int:
                frame.integers[parameter.name] = value
            else:
                frame.scopes[0][parameter.name] = Local(parameter.name, "int", [value] * self.threads)

    def bind(
        self, frame: Frame, parameter: Parameter, argument: Expr, active: list[int], copied: list[tuple[Expr, Local]]
    ) -> None:
        kind = frame.types.get(parameter.type, self.type_named(parameter.type))
        if isinstance(argument, Name) and parameter.reference:
            found = self.frame.find(argument.name)
            if found is not None:
                frame.scopes[0][parameter.name] = found
                return
        values: Vec = [symbol("unset")] * self.threads
        source = self.type_of(argument)
        for t, v in zip(active, self.evaluate(argument, active)):
            values[t] = v if parameter.pointer or parameter.reference else self.convert(v, kind, source)
        local = Local(parameter.name, source if kind == "auto" else kind, values, parameter.pointer)
        frame.scopes[0][parameter.name] = local
        words = self.program.file.tokens[parameter.index - 1].text, self.program.file.tokens[parameter.index - 3].text
        if parameter.reference and "const" not in words:
            copied.append((argument, local))
