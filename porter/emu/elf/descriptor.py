"""A kernel's descriptor, 64 bytes, as the directives that assembly text has in its place."""

from __future__ import annotations

import struct

__all__ = ["descriptor"]

# Directive without .amdhsa_: the word, lowest bit, bits. Words by their place in the descriptor.
_FIELDS = {
    "group_segment_fixed_size": (0, 0, 32),
    "private_segment_fixed_size": (4, 0, 32),
    "kernarg_size": (8, 0, 32),
    "float_round_mode_32": (48, 12, 2),
    "float_round_mode_16_64": (48, 14, 2),
    "float_denorm_mode_32": (48, 16, 2),
    "float_denorm_mode_16_64": (48, 18, 2),
    "dx10_clamp": (48, 21, 1),
    "ieee_mode": (48, 23, 1),
    "fp16_overflow": (48, 26, 1),
    "enable_private_segment": (52, 0, 1),
    "user_sgpr_count": (52, 1, 5),
    "system_sgpr_workgroup_id_x": (52, 7, 1),
    "system_sgpr_workgroup_id_y": (52, 8, 1),
    "system_sgpr_workgroup_id_z": (52, 9, 1),
    "system_sgpr_workgroup_info": (52, 10, 1),
    "system_vgpr_workitem_id": (52, 11, 2),
    "tg_split": (44, 16, 1),
    "user_sgpr_private_segment_buffer": (56, 0, 1),
    "user_sgpr_dispatch_ptr": (56, 1, 1),
    "user_sgpr_queue_ptr": (56, 2, 1),
    "user_sgpr_kernarg_segment_ptr": (56, 3, 1),
    "user_sgpr_dispatch_id": (56, 4, 1),
    "user_sgpr_flat_scratch_init": (56, 5, 1),
    "user_sgpr_private_segment_size": (56, 6, 1),
    "uses_dynamic_stack": (56, 11, 1),
    "user_sgpr_kernarg_preload_length": (56, 16, 7),
    "user_sgpr_kernarg_preload_offset": (56, 23, 9),
}
_VECTOR_UNIT, _SCALAR_UNIT, _ACCUMULATOR_UNIT = 8, 8, 4  # registers that the descriptor counts by


def descriptor(data: bytes) -> dict[str, str]:
    """The directives and their numbers, as texts."""
    directives = {}
    for name, (place, low, bits) in _FIELDS.items():
        (word,) = struct.unpack_from("<I", data, place)
        directives[name] = str(word >> low & (1 << bits) - 1)
    registers, accumulators = struct.unpack_from("<I", data, 48)[0], struct.unpack_from("<I", data, 44)[0]
    directives["next_free_vgpr"] = str(((registers & 63) + 1) * _VECTOR_UNIT)
    directives["next_free_sgpr"] = str(((registers >> 6 & 15) + 1) * _SCALAR_UNIT)
    directives["accum_offset"] = str(((accumulators & 63) + 1) * _ACCUMULATOR_UNIT)
    return directives
