"""The passes, in the order in which they look at a file. Each is `run(unit, rules) -> findings`.

A pass is in the folder that has its rule in rules/; tests/passes/test_places.py holds that.
"""

from __future__ import annotations

from collections.abc import Callable

from porter.findings import Finding
from porter.frontend.unit import Unit
from porter.passes import call_patterns
from porter.passes.device import (
    array_in_parentheses,
    atomic_overload,
    bf16_from_long,
    braced_vector,
    compiler_guard,
    constexpr_half,
    cuda_arch,
    cuda_version,
    device_launch,
    device_runtime_call,
    grid_constant,
    grid_vector,
    half_from_bf16,
    half_in_host_code,
    launch_bounds,
    math_overload,
    programmatic_launch,
    register_keyword,
    register_limit,
    restrict_element,
    shared_initializer,
    shared_object,
    std_printf,
    typeof_keyword,
    vector_operator,
)
from porter.passes.hopper import (
    block_over_16_warps,
    cluster,
    dynamic_shared,
    kittens,
    mirrored_collective,
    oversized_shared,
    shared_headers,
    shared_memory_budget,
    warp_roles,
)
from porter.passes.host import (
    ambiguous_const,
    blas_without_handle,
    calling_convention,
    compared_capability,
    copied_header,
    handle_as_number,
    include_project,
    kernel_text,
    library_sums,
    missing_template_keyword,
    missing_typename,
    narrowing,
    overload_of_one_type,
    pasted_name,
    ptx_text,
    spaced_launch,
    tuned_for_nvidia,
    unfinished_source,
    unknown_name,
)
from porter.passes.names import libcudacxx, tables
from porter.passes.ptx import asm_registers, inline_ptx
from porter.passes.warp import cub_warp_width, lane_index, large_tile, partial_wave_transpose, warp_size, warp_widen
from porter.rules import RuleSet

__all__ = ["PASSES", "Pass"]

Pass = Callable[[Unit, RuleSet], list[Finding]]

PASSES: tuple[Pass, ...] = (
    kittens.run,
    inline_ptx.run,
    asm_registers.run,
    warp_roles.run,
    cluster.run,
    shared_headers.run,
    programmatic_launch.run,
    block_over_16_warps.run,
    oversized_shared.run,
    shared_memory_budget.run,
    dynamic_shared.run,
    mirrored_collective.run,
    copied_header.run,
    include_project.run,
    atomic_overload.run,
    array_in_parentheses.run,
    braced_vector.run,
    vector_operator.run,
    warp_widen.run,
    lane_index.run,
    call_patterns.run,
    warp_size.run,
    cub_warp_width.run,
    large_tile.run,
    partial_wave_transpose.run,
    launch_bounds.run,
    grid_constant.run,
    grid_vector.run,
    half_from_bf16.run,
    constexpr_half.run,
    bf16_from_long.run,
    blas_without_handle.run,
    calling_convention.run,
    handle_as_number.run,
    compared_capability.run,
    compiler_guard.run,
    cuda_version.run,
    register_keyword.run,
    typeof_keyword.run,
    restrict_element.run,
    cuda_arch.run,
    register_limit.run,
    device_launch.run,
    device_runtime_call.run,
    shared_initializer.run,
    shared_object.run,
    std_printf.run,
    kernel_text.run,
    ptx_text.run,
    half_in_host_code.run,
    math_overload.run,
    narrowing.run,
    overload_of_one_type.run,
    pasted_name.run,
    spaced_launch.run,
    library_sums.run,
    missing_template_keyword.run,
    missing_typename.run,
    ambiguous_const.run,
    tables.run,
    libcudacxx.run,
    tuned_for_nvidia.run,
    unfinished_source.run,
    unknown_name.run,
)
