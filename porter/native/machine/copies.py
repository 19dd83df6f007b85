"""Copies between global and shared memory, by tensor maps and in bulk: what each thread asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from porter.native.ir.module import Instruction, Type
from porter.native.machine.lanes import listed
from porter.native.machine.loaded_values import Value
from porter.native.machine.machine import Machine
from porter.native.machine.values import (
    GLOBAL,
    MODULE,
    PARAMETER,
    PRIVATE,
    Load,
    Refused,
    Term,
    TileStore,
    signed,
)
from porter.native.machine.warp_instructions import shared_address

__all__ = ["bulk_load", "each_thread", "tensor_load", "tensor_multicast", "tensor_store"]


def _parameter(m: Machine, value: Value) -> int:
    if type(value) is not int:
        raise Refused("a tensor map's address depends on data")
    if PARAMETER <= value < MODULE:
        number = m.parameters.tensor_map(value - PARAMETER >> 32, value & 0xFFFFFFFF)
        if number is not None:
            return number
    if value >= GLOBAL and value % GLOBAL == 0:
        return value // GLOBAL - 1
    raise Refused("a tensor map that is not a parameter of the kernel")


def _map_of(m: Machine, value: Value) -> int:
    """A parameter's number; by-value parameters are copied to the stack first."""
    if type(value) is int and PRIVATE <= value < PARAMETER:
        origin = m.memory.load(value, Type("int", 64))
        if isinstance(origin, Term) and origin.op == "parameter" and len(origin.parts) == 3:
            parameter, offset, _ = origin.parts
            if isinstance(parameter, int) and isinstance(offset, int):
                number = m.parameters.tensor_map(parameter, offset)
                if number is not None:
                    return number
    return _parameter(m, value)


def _coordinates(values: Sequence[Value]) -> tuple[int, ...]:
    wholes = [v for v in values if type(v) is int]
    if len(wholes) != len(values):
        raise Refused("a tile's coordinates depend on data")
    return tuple(signed(v, 32) for v in wholes)


def each_thread(m: Machine, values: Sequence[Value]) -> Iterator[tuple[int, list[Any]]]:
    columns = [listed(v, len(m.state.active.mask)) for v in values]
    for thread in m.state.active.threads:
        yield thread, [c[thread] for c in columns]


def tensor_load(m: Machine, one: Instruction, values: list[Value]) -> None:
    to, tensor, bar, *at = values
    m.state.happens(
        (thread, Load(_map_of(m, tensor), place, _coordinates(where), bar=arrives))
        for thread, (place, arrives, *where) in each_thread(m, (shared_address(m, to), shared_address(m, bar), *at))
    )


def bulk_load(m: Machine, one: Instruction, values: list[Value]) -> None:
    to, source, size, bar = values
    for thread, (place, begin, length, arrives) in each_thread(
        m, (shared_address(m, to), source, size, shared_address(m, bar))
    ):
        if type(begin) is not int or type(length) is not int:
            raise Refused("a bulk copy whose address or size depends on data")
        m.state.happens(iter([(thread, Load(-1, place, (begin, length), bar=arrives))]))


def tensor_multicast(m: Machine, one: Instruction, values: list[Value]) -> None:
    to, tensor, _, ranks, *at = values
    for thread, (place, to_ranks, *where) in each_thread(m, (shared_address(m, to), ranks, *at)):
        m.state.events[thread].append(Load(_map_of(m, tensor), place, _coordinates(where), m.known(to_ranks)))


def tensor_store(m: Machine, one: Instruction, values: list[Value]) -> None:
    tensor, source, *at = values
    for thread, (place, *where) in each_thread(m, (shared_address(m, source), *at)):
        m.state.rereads(thread // m.state.warp, place & ~15)
        m.state.events[thread].append(TileStore(_map_of(m, tensor), place, _coordinates(where)))
