"""What kernels with roles and tiles get wrong, each with the finding that docs/guides/thunderkittens.md says names it."""

import shutil
from pathlib import Path

import pytest
from commands import porter

TRAPS = Path(__file__).parent / "traps"


def _run(name: str, folder: Path, *options: str) -> tuple[int, str]:
    source = Path(shutil.copy(TRAPS / f"{name}.cu", folder))
    porter("convert", source, *options)
    done = porter("run", source.with_suffix(".hip"), "--check", "all", *options)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "options", "finding", "line"),
    [
        ("roles", ("-D", "GROUPS=2"), "1 finding: deadlock 1", "roles.hip:"),
        ("prefetch", (), "1 finding: out-of-bounds 1", "prefetch.hip:"),
        ("pages", (), "1 finding: write-to-constant 1", "pages.hip:"),
        ("shape", (), "a tile has a multiple of 64 rows", "shape.hip:"),
    ],
)
@pytest.mark.sample(2)
def test_a_trap_is_named_with_its_line(name, options, finding, line, tmp_path):
    code, said = _run(name, tmp_path, *options)
    assert code != 0 and finding in said and line in said, said


def test_roles_that_have_their_waves_have_no_finding(tmp_path):
    assert _run("roles", tmp_path, "-D", "GROUPS=3")[0] == 0


def test_macros_with_names_of_porters_headers_change_nothing_there(tmp_path):
    folder = shutil.copytree(TRAPS / "macros", tmp_path / "macros")
    porter("convert", folder, "-o", tmp_path / "hip")
    for port, names in (("m.hip", ["place"]), ("load.cuh", ["at", "lds", "place"])):
        lines = (tmp_path / "hip" / port).read_text().splitlines()
        assert [line.split('"')[1] for line in lines if "push_macro" in line] == names
        assert [line.split('"')[1] for line in lines if "pop_macro" in line] == names[::-1]
    done = porter("run", tmp_path / "hip" / "m.hip", "--check", "all")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("beside", [False, True])
def test_a_macro_that_replaces_a_call_of_the_port_is_named(beside, tmp_path):
    macro = "#define lds(x) ((x) * 4)\n"
    (tmp_path / "names.cuh").write_text(macro)
    source = tmp_path / "k.cu"
    source.write_text(
        ('#include "names.cuh"\n' if beside else macro)
        + '__global__ void k(float *o) { asm volatile("ld.shared.f32 %0, [%1];" : "=f"(*o) : "r"(16)); }\n'
    )
    said = porter("convert", source).stdout
    assert f"k.cu:{2 if beside else 1}:" in said and "for review: the macro lds replaces porter::lds" in said


def test_headers_may_name_all_types_of_wmma(tmp_path):
    """CUTLASS lists 4-bit and single-bit types that it does not use; calls of bmma_sync are left with the reason."""
    source = tmp_path / "types.cu"
    source.write_text(
        "#include <mma.h>\n#include <cuda_runtime.h>\nnamespace e = nvcuda::wmma::experimental;\n"
        "template <class T> struct type_of; template <> struct type_of<char> { using type = e::precision::s4; };\n"
        "__global__ void k(int *p) { *p = e::bmmaBitOpXOR; }\n"
        "__device__ void b(int &d) { nvcuda::wmma::bmma_sync(d, d, d, d, e::bmmaBitOpXOR, e::bmmaAccumulateOpPOPC); }\n"
        "int main() { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p); return cudaDeviceSynchronize(); }\n"
    )
    said = porter("convert", source)
    assert "bmma_sync has no HIP counterpart" in said.stdout + said.stderr
    done = porter("run", source.with_suffix(".hip"))
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_function_that_does_not_exist_is_named_with_its_line(tmp_path):
    """ThunderKittens' functions are members of templates: nobody but a compiler knows which there are."""
    source = tmp_path / "scale.cu"
    source.write_text(
        '#include "kittens.cuh"\nusing namespace kittens;\n'
        "__global__ void scale(const __grid_constant__ gl<bf16, 1, 1, -1, 64> x) {\n"
        "  rt_bf<16, 64> tile;\n"
        "  warp::load(tile, x, {0, 0, int(blockIdx.x), 0});\n"
        "  warp::scale_rows(tile, tile, 0.5f);\n"
        "}\n"
    )
    done = porter("convert", source, "--kittens", "native")
    said = done.stdout + done.stderr
    assert "scale.cu:6:" in said and "no member named 'scale_rows'" in said, said
