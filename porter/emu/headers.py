"""The C headers that are generated: the core and the host runtime include them beside those in core/."""

from __future__ import annotations

import json

from porter.checks import CHECKS, FINDINGS
from porter.chip import EMULATED, Chip

__all__ = ["chip_header", "findings_header", "headers"]


def headers() -> dict[str, str]:
    """By name."""
    return {"chip.h": chip_header(EMULATED), "findings.h": findings_header()}


def chip_header(chip: Chip) -> str:
    """chip.h: the chip's row as macros, CHIP_ and the field's name."""
    board = chip.boards[0]
    numbers = {
        "MAJOR": chip.capability[0], "MINOR": chip.capability[1],
        "COMPUTE_UNITS": chip.compute_units, "XCDS": chip.xcds, "CLOCK_MHZ": chip.clock_mhz, "TIMER_KHZ": chip.timer_khz,
        "WAVE": chip.wave, "SIMDS": chip.simds, "MAX_WAVES": chip.max_waves, "MAX_THREADS": chip.max_threads,
        "MAX_GROUP_WAVES": chip.max_group_waves,
        "REGISTERS": chip.registers, "REGISTER_GRANULE": chip.register_granule,
        "ACCUMULATOR_ALIGNMENT": chip.accumulator_alignment, "VGPRS": chip.vgprs, "AGPRS": chip.agprs,
        "SGPRS": chip.sgprs, "VMCNT": chip.vmcnt,
        "LDS_BYTES": chip.lds_bytes, "LDS_GRANULE": chip.lds_granule, "LDS_BANKS": chip.lds_banks,
        "LINE_BYTES": chip.line_bytes, "L2_BYTES": chip.l2_bytes, "MEMORY_BITS": chip.memory_bits,
        "FP8_FNUZ": int(chip.fp8 == "fnuz"), "FP8_BIAS": chip.fp8_bias, "BF8_BIAS": chip.bf8_bias,
        "BOARD_MEMORY_CLOCK_MHZ": board.memory_clock_mhz, "BOARD_PCI_ID": board.pci_id,
    }  # fmt: skip
    rows = ", ".join("{" + ", ".join(map(str, lanes)) + "}" for lanes in chip.lds_read_b128)
    lines = [
        f"// {chip.target}, from porter/chip.py",
        "#pragma once",
        f'#define CHIP_TARGET "{chip.target}"',
        f'#define CHIP_BOARD "{board.name}"',
        *(f"#define CHIP_{name} {value}" for name, value in numbers.items()),
        f"#define CHIP_BOARD_BYTES {board.memory_bytes}ull",
        f"#define CHIP_LDS_READ_B128 {{{rows}}}",
    ]
    return "\n".join(lines) + "\n"


def findings_header() -> str:
    """findings.h: the checks' bits, the kinds of findings by number, and a row for each kind, for the host's report:
    FINDINGS(X) is X(kind, name, words, whether the kernel stops, what its address is of, HIP's error, what its message
    says of the fix, whether it is harmless)."""
    abouts = ["", *dict.fromkeys(kind.about for kind in FINDINGS if kind.about)]
    lines = [
        "// From porter/checks.py",
        "#pragma once",
        "enum {",
        *(f"  CHECK_{check.symbol} = {check.bit}," for check in CHECKS),
        f"  CHECK_DEFAULT = {sum(check.bit for check in CHECKS if check.always)},",
        f"  CHECK_WITH_SHADOW = {sum(check.bit for check in CHECKS if check.shadow)},  // a state for each wave",
        "};",
        "typedef enum {",
        "  FAULT_NONE,",
        *(f"  FAULT_{kind.symbol}," for kind in FINDINGS),
        "} FaultKind;",
        "typedef enum { " + ", ".join(f"ABOUT_{about.upper() or 'NOTHING'}" for about in abouts) + " } About;",
        "#define FINDINGS(X) \\",
        *(
            f"  X(FAULT_{kind.symbol}, {json.dumps(kind.name)}, {json.dumps(kind.words)}, {int(kind.stops)}, "
            f"ABOUT_{kind.about.upper() or 'NOTHING'}, {kind.error}, {json.dumps(kind.fix if kind.shows_fix else '')}, "
            f"{int(kind.harmless)}) \\"
            for kind in FINDINGS
        ),
    ]
    return "\n".join(lines) + "\n\n"
