"""Objects and static libraries with device code, as `hipcc -c -fgpu-rdc` and `hipcc --emit-static-lib` lay them out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from porter.emu.hostlib import host_library
from porter.emu.image import build_image
from porter.errors import CompileError, InputError
from porter.toolchain import Options, build, executable
from porter.toolchain.compilers import compilers
from porter.toolchain.device_objects import device_objects
from porter.toolchain.pip_clang import zig_environment

PROGRAMS = Path(__file__).parents[1] / "emu" / "host" / "programs"
RDC = Options(emulator=True, flags=("-fgpu-rdc",))
TARGET = "hip-amdgcn-amd-amdhsa--gfx942"


def device_object(folder: Path, source: Path, target: str = TARGET, section: str = "__CLANG_OFFLOAD_BUNDLE__") -> Path:
    """The host's object with the device code in a section, by the linker's -r."""
    tools = compilers()
    host, bitcode = build.host_object(source, RDC), build.device_bitcode(source, RDC)
    text, own, out = folder / "code.s", folder / "code.o", folder / f"{source.stem}.o"
    text.write_text(f'.section "{section}{target}","e",@progbits\n.incbin "{bitcode}"\n')
    subprocess.run([*tools.host_assembler, "-c", str(text), "-o", str(own)], check=True)
    subprocess.run(
        [*tools.lld, "-r", str(host), str(own), "-o", str(out)], check=True, env=os.environ | zig_environment()
    )
    return out


def archive(path: Path, member: Path) -> Path:
    named = member.rename(member.with_name(f"{member.stem}_of_a_name_that_no_header_holds.o"))
    subprocess.run([compilers().lld[0], "ar", "rcs", str(path), str(named)], check=True)
    return path


def run(*sources: Path) -> subprocess.CompletedProcess[str]:
    built = executable(
        list(sources), None, RDC, image=lambda path: build_image(path.read_text()), library=host_library()
    )
    return subprocess.run([str(built.path)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ["object", "library"])
def test_device_code_of_an_object_is_linked_with_the_programs(tmp_path, kind):
    given = device_object(tmp_path, PROGRAMS / "linked_second.hip")
    if kind == "library":
        given = archive(tmp_path / "libsecond.a", given)
    done = run(PROGRAMS / "linked_first.hip", given)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and lines[-1] == "end" and len(lines) == 4, done.stdout + done.stderr
    assert all(line.startswith("ok ") for line in lines[:-1])


def test_objects_alone_are_a_program(tmp_path):
    given = [device_object(tmp_path, PROGRAMS / name) for name in ("linked_first.hip", "linked_second.hip")]
    done = run(*given)
    assert done.returncode == 0 and done.stdout.endswith("end\n"), done.stdout + done.stderr


def test_what_is_not_linked_says_how(tmp_path):
    given = device_object(tmp_path, PROGRAMS / "linked_second.hip")
    plain = tmp_path / "plain.hip"
    plain.write_text("#include <hip/hip_runtime.h>\nint read_total();\nint main() { return read_total(); }\n")
    with pytest.raises(CompileError, match="is to be linked with the program's") as refused:
        executable(
            [plain, given], None, Options(emulator=True), image=lambda path: build_image(path.read_text()), library=host_library()
        )  # fmt: skip
    assert refused.value.fix == "--flag=-fgpu-rdc links it"


@pytest.mark.parametrize(
    ("target", "section", "said"),
    [
        ("hip-amdgcn-amd-amdhsa--gfx90a", "__CLANG_OFFLOAD_BUNDLE__", "gfx90a, none for gfx942"),
        ("", ".llvm.offloading", "new offload driver"),
    ],
)
def test_device_code_that_cannot_be_linked_is_named(tmp_path, target, section, said):
    given = device_object(tmp_path, PROGRAMS / "linked_second.hip", target, section)
    with pytest.raises(InputError, match=said) as refused:
        device_objects(given, "gfx942")
    assert str(given) in refused.value.problem and refused.value.fix


def test_files_without_device_code(tmp_path):
    thin = tmp_path / "thin.a"
    thin.write_bytes(b"!<thin>\n")
    with pytest.raises(InputError, match="thin archive"):
        device_objects(thin, "gfx942")
    script = tmp_path / "script.a"
    script.write_text("GROUP ( libreal.a )\n")
    assert device_objects(script, "gfx942") == []
