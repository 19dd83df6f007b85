"""Sizes that reach the launch through a member of an object."""

from __future__ import annotations

from pathlib import Path

from porter.findings import FilePort
from porter.frontend.project import Project
from porter.frontend.unit import Options
from porter.port.pipeline import port_source
from tests.families import family

KERNEL = """
constexpr int kStages = 4;
struct Tiles { float a[kStages][64][64]; float b[kStages][64][64]; };
__global__ void k(float *x) {
  extern __shared__ char memory[];
  reinterpret_cast<Tiles *>(memory)->a[kStages - 1][0][0] = *x;
}
"""
CALL = """
  template <class... A> void operator()(void (*kernel)(A...), A... x) const {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
    kernel<<<grid, block, shared>>>(x...);
  }
};
"""
LAUNCHERS = {
    "an aggregate": f"""
struct Launch {{
  dim3 grid, block;
  size_t shared;
{CALL}
void run(float *x) {{ const Launch launch{{dim3(1), dim3(128), sizeof(Tiles)}}; launch(k, x); }}
""",
    "names": f"""
struct Launch {{
  dim3 grid = 1, block = 128;
  size_t shared = 0;
{CALL}
void run(float *x) {{ Launch{{.shared = sizeof(Tiles)}}(k, x); }}
""",
    "a constructor": f"""
class Launch {{
  dim3 grid, block;
  size_t shared;
 public:
  Launch(int threads, size_t bytes) : grid(1), block(threads), shared(bytes) {{}}
{CALL}
void run(float *x) {{ Launch launch(128, sizeof(Tiles)); launch(k, x); }}
""",
    "an assignment": f"""
struct Launch {{
  dim3 grid, block;
  size_t shared;
{CALL}
void run(float *x) {{
  Launch launch;
  launch.grid = 1, launch.block = 128;
  launch.shared = sizeof(Tiles);
  launch(k, x);
}}
""",
    "an initialiser, and an object that is given": """
struct Launch {
  dim3 grid{1}, block{128};
  size_t shared{sizeof(Tiles)};
};
void start(const Launch &launch, float *x) { k<<<launch.grid, launch.block, launch.shared>>>(x); }
void run(float *x) { start(Launch(), x); }
""",
}


def port(path: Path) -> FilePort:
    return port_source(Project(path.parent), path, "a.hip", Options(runtime="include", oversize="refuse"), {})


@family("launcher", LAUNCHERS)
def test_the_stages_are_lowered(launcher: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(KERNEL + LAUNCHERS[launcher])
    assert "constexpr int kStages = 2;" in port(path).port


def test_the_class_may_be_in_a_header(tmp_path: Path) -> None:
    head, _, tail = LAUNCHERS["an aggregate"].partition("void run")
    (tmp_path / "launch.h").write_text(head)
    path = tmp_path / "a.cu"
    path.write_text(f'#include "launch.h"\n{KERNEL}void run{tail}')
    assert "constexpr int kStages = 2;" in port(path).port


@family("launcher", ["an aggregate", "a constructor"])
def test_an_attribute_of_what_fits_is_exact(launcher: str, tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text(KERNEL + LAUNCHERS[launcher])
    assert [f.message for f in port(path).findings if f.needs_person] == []


def test_an_attribute_of_a_parameter_that_fits_is_exact(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    launch = (
        "void start(float *x, int bytes) {\n"
        "  cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);\n  k<<<1, 128, bytes>>>(x);\n}\n"
    )
    path.write_text(f"{KERNEL}{launch}void run(float *x) {{ start(x, sizeof(Tiles)); }}\n")
    assert [f.message for f in port(path).findings if f.needs_person] == []
    path.write_text(f"{KERNEL}{launch}void run(float *x, int n) {{ start(x, sizeof(Tiles)); start(x, n); }}\n")
    assert "a larger value is refused" in "".join(f.message for f in port(path).findings if f.needs_person)
