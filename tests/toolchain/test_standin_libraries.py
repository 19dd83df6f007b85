"""The stand-ins for hipBLAS, hipCUB, hipRAND and rocThrust: a program that checks itself, and what is missing by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import porter

from porter.errors import CompileError
from porter.paths import RUNTIME_INCLUDE
from porter.toolchain import Options, assemble, device_assembly, find_toolchain

pytestmark = [
    pytest.mark.skipif(not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"),
    pytest.mark.skipif(find_toolchain().kind == "rocm", reason="ROCm's own headers are in use"),
]

PROGRAM = Path(__file__).parent / "programs" / "libraries.hip"
HEADERS = [
    path.relative_to(RUNTIME_INCLUDE).as_posix()
    for folder in (
        "hipblas",
        "hipblas-common",
        "hipblaslt",
        "hipcub",
        "hipfft",
        "hiprand",
        "hipsolver",
        "hipsparse",
        "rccl",
        "thrust",
    )
    for path in sorted((RUNTIME_INCLUDE / folder).rglob("*.h*"))
]


def test_the_program_compiles_for_the_device() -> None:
    assembly = device_assembly(PROGRAM, Options(level="3", emulator=True))
    assert assemble(assembly).is_file()
    text = assembly.read_text()
    assert "_Z6blocksPKiPi:" in text and "_Z4drawPf:" in text and "merge_pass" in text


def test_raking_layouts_have_hipcubs_numbers() -> None:
    """The program asserts what follows from hipCUB's source for 24, 128 and 500 threads."""
    assert assemble(device_assembly(PROGRAM.with_name("raking.hip"), Options(level="1"))).is_file()


def test_every_header_is_found(tmp_path: Path) -> None:
    source = tmp_path / "a.hip"
    source.write_text("".join(f"#include <{name}>\n" for name in HEADERS if "/porter_" not in name) * 2)
    assert len(HEADERS) > 30
    assert device_assembly(source, Options(level="0", line_tables=False)).is_file()


def test_complex_numbers_are_those_of_the_standard() -> None:
    result = porter("run", PROGRAM.with_name("complex.hip"))
    assert result.returncode == 0 and "0 of 320 differ" in result.stdout, result.stdout + result.stderr


@pytest.mark.parametrize(
    "name",
    [
        "hipblas/hipblas.h",
        "hipblaslt/hipblaslt.h",
        "hipcub/hipcub.hpp",
        "hipfft/hipfft.h",
        "hiprand/hiprand.h",
        "hiprand/hiprand_kernel.h",
        "hipsolver/hipsolver.h",
        "hipsparse/hipsparse.h",
        "omp.h",
        "rccl/rccl.h",
        "thrust/complex.h",
        "thrust/sort.h",
    ],
)
@pytest.mark.sample(4)
def test_rocms_own_is_taken(tmp_path: Path, name: str) -> None:
    own = tmp_path / "rocm" / name
    own.parent.mkdir(parents=True)
    own.write_text("#define ROCMS_OWN 1\n")
    source = tmp_path / "a.hip"
    source.write_text(f"#include <{name}>\nstatic_assert(ROCMS_OWN);\n")
    for first, second in ((RUNTIME_INCLUDE, tmp_path / "rocm"), (tmp_path / "rocm", RUNTIME_INCLUDE)):
        assert device_assembly(source, Options(level="0", includes=(first, second))).is_file()


@pytest.mark.parametrize(
    ("include", "use", "message"),
    [
        ("hipblas/hipblas.h", "auto f = hipblasSsyrk;", "use of undeclared identifier 'hipblasSsyrk'"),
        ("hipblas/hipblas.h", "hipblasHalf *f(__half *h) { return h; }", "cannot initialize return object"),
        (
            "hipcub/hipcub.hpp",
            "using T = hipcub::BlockRunLengthDecode<int, 64, 1, 8>;",
            "no template named 'BlockRunLengthDecode'",
        ),
        ("thrust/device_vector.h", "thrust::universal_vector<int> v;", "no template named 'universal_vector'"),
        ("thrust/mr/tls_pool.h", "", "'thrust/mr/tls_pool.h' file not found"),
        (
            "hipblaslt/hipblaslt.h",
            "hipblasLtMatrixTransformDesc_t t;",
            "unknown type name 'hipblasLtMatrixTransformDesc_t'",
        ),
        ("hipblaslt/hipblaslt.h", "hipblasHandle_t h;", "unknown type name 'hipblasHandle_t'"),
        ("hiprand/hiprand_kernel.h", "hiprandStateSobol32_t s;", "unknown type name 'hiprandStateSobol32_t'"),
    ],
)
@pytest.mark.sample(3)
def test_what_is_missing_is_named(tmp_path: Path, include: str, use: str, message: str) -> None:
    source = tmp_path / "a.hip"
    source.write_text(f"#include <{include}>\n{use}\n")
    with pytest.raises(CompileError, match=message):
        device_assembly(source)


def test_hipcub_brings_the_standard_headers_that_rocms_brings(tmp_path: Path) -> None:
    """Those of hipCUB 3.3: a header of the device's algorithms has <iostream>, one of blocks alone has not."""
    source = tmp_path / "a.hip"
    use = 'void said() { std::cerr << std::strlen("") << std::endl; }'
    for name in ("hipcub.hpp", "device/device_reduce.hpp", "iterator/counting_input_iterator.hpp"):
        source.write_text(f"#include <hipcub/{name}>\n{use}\n")
        assert device_assembly(source).is_file()
    source.write_text(f"#include <hipcub/block/block_load.hpp>\n{use}\n")
    with pytest.raises(CompileError, match="no member named 'cerr'"):
        device_assembly(source)
    source.write_text(
        "#include <hipcub/block/block_load.hpp>\nauto most(int a) { return std::function<int()>([=] { return std::max(a, 1); }); }\n"
    )
    assert device_assembly(source).is_file()


@pytest.mark.parametrize("name", ["accumulators", "hipcub", "thrust", "thrust_functions", "thrust_resources"])
@pytest.mark.sample(2)
def test_results_are_those_of_rocms_libraries(name: str) -> None:
    """NAME.txt is what NAME.hip printed in the emulator when it was compiled with hipCUB, rocPRIM and rocThrust 3.3."""
    program = PROGRAM.with_name(f"{name}.hip")
    done = porter("run", "--emulate", program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == program.with_suffix(".txt").read_text().splitlines()


@pytest.mark.parametrize(
    "name",
    [
        "eights",
        "blas",
        "blas_complex",
        "blas_matrices",
        "blaslt",
        "device_functors",
        "hiprand_host",
        "scans",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("libraries", "numbers")),
    ],
)
@pytest.mark.sample(3)
def test_the_programs_find_nothing_wrong_in_the_emulator(name: str) -> None:
    done = porter("run", "--emulate", PROGRAM.with_name(f"{name}.hip"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip().endswith("all good")


@pytest.mark.slow
def test_sums_are_named_by_types_of_data(tmp_path: Path) -> None:
    """cuBLAS's header takes cudaDataType for cublasComputeType_t in C++; hipBLAS's does not."""
    port = tmp_path / "port.hip"
    converted = porter("convert", PROGRAM.with_name("sums_by_data_type.cu"), "-o", port)
    assert converted.returncode == 0, converted.stdout + converted.stderr
    result = porter("run", port)
    assert result.returncode == 0 and "0 wrong" in result.stdout, result.stdout + result.stderr
