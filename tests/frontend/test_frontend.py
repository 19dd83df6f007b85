"""Functions and their sides from tokens, files and their includes, and what libclang says of a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.findings import Edit
from porter.frontend import parsed as parsed_module
from porter.frontend import probes
from porter.frontend.ast import ParseOptions, parse, precompiled_headers, resource_headers
from porter.frontend.folders import walk
from porter.frontend.include_dirs import find_include_dirs
from porter.frontend.lexer import lex
from porter.frontend.project import Project
from porter.frontend.scopes import find_scopes
from porter.frontend.source_file import declared_names
from porter.paths import CUDA_STUBS

# --- scopes ------------------------------------------------------------------------------------------


def functions(text: str) -> list[tuple[str, str, bool]]:
    """(name, marks, has a body) of each function."""
    return [(f.name, " ".join(sorted(f.marks)), f.body != (-1, -1)) for f in find_scopes(lex(text)).functions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__global__ void k(int *p) { *p = 1; }", [("k", "__global__", True)]),
        ("__global__ void __launch_bounds__(128, 2) k(int *p) {}", [("k", "__global__", True)]),
        ("__launch_bounds__(128) __global__ void k() {}", [("k", "__global__", True)]),
        ("__global__ static __launch_bounds__(decltype(size(T{}))::value) void k() {}", [("k", "__global__", True)]),
        ("template <int N> __global__ void k(int (&a)[N]) {}", [("k", "__global__", True)]),
        ("extern \"C\" __device__ float f(float);", [("f", "__device__", False)]),
        ("__host__ __device__ inline float f(float x) { return x; }", [("f", "__device__ __host__", True)]),
        ("int main() { return f(1); }", [("main", "", True)]),
        ("struct V { __device__ V(int a) : x(a), y{1} { z(); } int x, y; };", [("V", "__device__", True)]),
        ("__device__ bool operator<(A a, A b) { return true; }", [("<", "__device__", True)]),
        ("struct F { __device__ void operator()(int i) const { } };", [(")", "__device__", True)]),
        ("__device__ auto f(int x) -> decltype(x) { return x; }", [("f", "__device__", True)]),
        ("__device__ void f() noexcept(true) { }", [("f", "__device__", True)]),
        ("auto f = [] __device__ (int x) { return x; };", [("", "__device__", True)]),
        ("void g() { [&]<int... I>(list<I...>) { f(1); }(0); }", [("g", "", True), ("", "", True)]),
        ("auto f = []<class T> __device__ (T x) { return x; };", [("", "__device__", True)]),
        ("template <> __global__ void k<int>(int *p) {}", [("k", "__global__", True)]),
        ("template __global__ void n::k<list<int>>(int *);", [("k", "__global__", False)]),
        ("struct V { bool operator>(V v) const { return false; } };", [(">", "", True)]),
        ("auto f = [=](int x) __host__ __device__ mutable -> int { return x; };", [("", "__device__ __host__", True)]),
        ("void f() { if (a) { } for (;;) { } while (b) { } switch (c) { } }", [("f", "", True)]),
        ("__device__ int x = f(3); __device__ int y = c ? f(1) : g(2);", []),
        ("__device__ int x = f<int>(3); __device__ auto y = f<list<int>>(4);", []),
        ("__device__ float (*op)(float) = twice;", []),
        ("HD T f(T a) { return a != T{0} ? T(a) : T{}; }", [("f", "", True)]),
        ("struct V { V(int a) : x{a}\n#ifdef X\n, y{1}\n#endif\n{ } };", [("V", "", True)]),
        ("int f() { if IF_CONSTEXPR (a) { } else IF_CONSTEXPR (b) { } return 0; }", [("f", "", True)]),
        ("A::A(int x) : B<T>(x), m(1)\n#ifdef X\n, q(2)\n#endif\n{ }", [("A", "", True)]),
        # marks by macro, and marks that only a macro's definition holds
        ("#define HD __host__ __device__\nHD int f() { return 1; }\nint g() { return 2; }",
         [("f", "__device__ __host__", True), ("g", "", True)]),
        ("#ifdef __CUDACC__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\nHD int f();\n", [("f", "__device__ __host__", False)]),
        ("#define KERNEL __global__ void\nKERNEL k() { }", [("k", "__global__", True)]),
        ("int x;\n#define DEV __device__\nvoid f() { k<<<1, 2>>>(); }", [("f", "", True)]),
        ("#define MAKE(n) __global__ void n() { }\nvoid f() { }", [("f", "", True)]),
    ],
)  # fmt: skip
def test_functions(text: str, expected: list[tuple[str, str, bool]]) -> None:
    assert functions(text) == expected


@pytest.mark.parametrize(
    ("text", "device"),
    [
        ("__global__ void k() { HERE; }", True),
        ("void h() { HERE; }", False),
        ("HERE;", False),
        ("__device__ void d() { } void h() { HERE; }", False),
        ("void h() { auto f = [=] __device__ (int i) { HERE; }; }", True),
        ("void h() { auto f = [=] __device__ (int i) { }; HERE; }", False),
        ("__global__ void k() { auto f = [&](int i) { HERE; }; }", True),
        ("__global__ void k() { struct L { void m() { } }; HERE; }", True),
        ("namespace a { class B { __device__ int m() { if (x) { HERE; } } }; }", True),
        ("#if 0\n__global__ void k() { HERE; }\n#endif", True),
    ],
)
def test_side(text: str, device: bool) -> None:
    file = lex(text)
    index = next(i for i, t in enumerate(file.tokens) if t.text == "HERE")
    assert find_scopes(file).at(index).device is device


def test_macro_bodies_are_on_neither_side() -> None:
    file = lex("#define M(x) cudaFree(x)\n")
    assert find_scopes(file).at(1).unknown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct Own { int warpSize; };", {"Own"}),
        ("enum class E : int { a };", {"E"}),
        ("using T = int;", {"T"}),
        ("typedef struct { int x; } S;", {"S"}),
        ("typedef void (*callback)(int);", set()),
        ("#define cudaCheck(x) x", {"cudaCheck"}),
        ("__device__ int umin(int, int);", {"umin"}),
        ("int x = cudaFree;", set()),
    ],
)
def test_declared_names(text: str, expected: set[str]) -> None:
    file = lex(text)
    assert declared_names(file, find_scopes(file)) == expected


# --- files -------------------------------------------------------------------------------------------


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_closure_follows_includes_and_survives_cycles(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.cu": '#include "inc/b.h"\n#include <cstdio>\n',
            "inc/b.h": '#include "../c.h"\n',
            "c.h": '#include "inc/b.h"\n',
        },
    )
    project = Project(tmp_path)
    assert [p.name for p in project.closure(tmp_path / "a.cu")] == ["a.cu", "b.h", "c.h"]
    assert project.resolve("nowhere.h", tmp_path / "a.cu") is None


def test_include_folders_come_before_nothing_and_after_the_own_folder(tmp_path: Path) -> None:
    write(tmp_path, {"src/a.cu": '#include "x.h"\n', "src/x.h": "", "inc/x.h": "", "inc/y.h": ""})
    project = Project(tmp_path, (str(tmp_path / "inc"),))
    assert project.resolve("x.h", tmp_path / "src/a.cu") == tmp_path / "src/x.h"
    assert project.resolve("y.h", tmp_path / "src/a.cu") == tmp_path / "inc/y.h"


def test_include_dirs_are_found_by_the_header_path(tmp_path: Path) -> None:
    write(tmp_path, {
        "src/a.cu": '#include "lib/x.h"\n#include "local.h"\n#include <vector>\n', "src/local.h": "",
        "include/lib/x.h": "", "other/x.h": "",
    })  # fmt: skip
    sources = walk(tmp_path)
    assert find_include_dirs(Project(tmp_path), sources) == ((str(tmp_path / "include"), ()),)


def test_headers_beside_a_file_name_folders_too(tmp_path: Path) -> None:
    """The file is ported alone: its header names one that only the build file's folder has."""
    write(tmp_path, {"app/a.cu": '#include "b.cuh"\n', "app/b.cuh": '#include "far.cuh"\n', "lib/far.cuh": ""})
    guessed = find_include_dirs(
        Project(tmp_path / "app"), [tmp_path / "app/a.cu"], {tmp_path / "lib": [tmp_path / "app"]}
    )
    assert guessed == ((str(tmp_path / "lib"), (str(tmp_path / "app"),)),)


def test_headers_of_cuda_are_not_looked_for_beside_a_file(tmp_path: Path) -> None:
    write(tmp_path, {"lib/arch/wmma.h": '#include <mma.h>\n#include "mma.h"\n', "lib/arch/mma.h": ""})
    project = Project(tmp_path, (str(tmp_path / "lib"),))
    assert find_include_dirs(project, [tmp_path / "lib/arch/wmma.h"]) == ()


def test_a_file_names_its_own_folder_in_angle_brackets(tmp_path: Path) -> None:
    """Its build has an -I for it."""
    write(tmp_path, {"src/a.cu": "#include <b.h>\n#include <string.h>\n", "src/b.h": "", "src/string.h": ""})
    assert find_include_dirs(Project(tmp_path), walk(tmp_path)) == ((str(tmp_path / "src"), ()),)
    assert find_include_dirs(Project(tmp_path, (str(tmp_path / "src"),)), walk(tmp_path)) == ()
    (tmp_path / "src/a.cu").write_text('#include "b.h"\n')
    assert find_include_dirs(Project(tmp_path), walk(tmp_path)) == ()


def test_headers_of_the_system_are_the_systems(tmp_path: Path) -> None:
    """A folder with a unistd.h of its own is for systems that have none."""
    (tmp_path / "dev").mkdir()
    for name in ("unistd.h", "own.h"):
        (tmp_path / "dev" / name).touch()
    main = tmp_path / "a.cu"
    main.write_text("#include <unistd.h>\n")
    named = {tmp_path / "dev": [tmp_path]}
    assert find_include_dirs(Project(tmp_path), [main], named) == ()
    main.write_text("#include <own.h>\n")
    assert find_include_dirs(Project(tmp_path), [main], named) == ((str(tmp_path / "dev"), (str(tmp_path),)),)


def test_folders_that_build_files_name_come_first_the_nearest_before_others(tmp_path: Path) -> None:
    write(tmp_path, {
        "tree/a/a.cu": '#include "x.h"\n', "tree/b/b.cu": '#include "x.h"\n', "tree/a/one/x.h": "", "tree/b/two/x.h": "",
        "tree/c.cu": '#include <far.h>\n', "common/far.h": '#include "deep/y.h"\n', "deps/deep/y.h": "",
    })  # fmt: skip
    tree = tmp_path / "tree"
    named = [tree / "a/one", tree / "b/two", tmp_path / "common", tmp_path / "deps", tmp_path / "nowhere"]
    guessed = find_include_dirs(Project(tree), walk(tree), {folder: [tree] for folder in named})
    assert sorted(folder for folder, _ in guessed) == sorted(map(str, named[:-1]))


def test_a_build_file_speaks_for_what_is_below_it(tmp_path: Path) -> None:
    """a/'s Makefile names a folder of a/'s, b/ has a header of the same name that nobody names, and c/ none."""
    write(tmp_path, {
        "a/src/old/x.h": "", "a/src/a.cu": '#include <x.h>\n', "a/include/x.h": "", "b/b.cu": '#include <x.h>\n', "b/inc/x.h": "",
        "a/src/more/c.cu": '#include <x.h>\n',
    })  # fmt: skip
    named = {tmp_path / "a/include": [tmp_path / "a"]}
    guessed = find_include_dirs(Project(tmp_path), walk(tmp_path), named)
    assert guessed == ((str(tmp_path / "a/include"), (str(tmp_path / "a"),)), (str(tmp_path / "b/inc"), ()))
    project = Project(tmp_path, tuple(folder for folder, _ in guessed), guessed=guessed)
    assert project.resolve("x.h", tmp_path / "a/src/a.cu") == tmp_path / "a/include/x.h"
    assert project.resolve("x.h", tmp_path / "b/b.cu") == tmp_path / "b/inc/x.h"


def test_namespace_aliases(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"a.cu": '#include "b.h"\nnamespace cg = cooperative_groups;\n', "b.h": "namespace ptx = ::cuda::ptx ;\n"},
    )
    assert Project(tmp_path).aliases(tmp_path / "a.cu") == {"cg": "cooperative_groups", "ptx": "cuda::ptx"}


def test_walk(tmp_path: Path) -> None:
    write(tmp_path, {"tree/a.cu": "", "tree/.git/b.cu": "", "tree/s/c.h": "", "out/d.cu": ""})
    tree = tmp_path / "tree"
    (tree / "in.h").symlink_to("s/c.h")
    (tree / "out.cu").symlink_to("../out/d.cu")
    (tree / "self").symlink_to("self")
    (tree / "gone").symlink_to("gone.cu")
    (tree / "up").symlink_to("..")
    assert [p.relative_to(tree).as_posix() for p in walk(tree)] == ["a.cu", "in.h", "s/c.h"]


# --- libclang ----------------------------------------------------------------------------------------

SOURCE = """#include "own.h"
namespace sim { __device__ unsigned umin(unsigned a, unsigned b, unsigned c); }
template <class T> __global__ void k(T *p, Own o) {
  p[0] = umin(1u, 2u) + sim::umin(1u, 2u, 3u) + o.warpSize + warpSize;
}
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  k<<<1, prop.warpSize>>>((float *)nullptr, Own());
  return cudaGetLastError() == cudaSuccess;
}
"""


@pytest.fixture
def ast(tmp_path: Path, cache: Path):  # type: ignore[no-untyped-def]
    write(tmp_path, {"a.cu": SOURCE, "own.h": "#pragma once\nstruct Own { int warpSize; };\n"})
    result = parse(tmp_path / "a.cu", tmp_path / "a.cu", ParseOptions())
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("place", "name", "expected"),
    [
        ("umin(1u, 2u)", "umin", "system"),
        ("umin(1u, 2u, 3u)", "umin", "project"),
        ("cudaGetLastError", "cudaGetLastError", "system"),
        ("cudaSuccess", "cudaSuccess", "system"),
        ("cudaDeviceProp prop", "cudaDeviceProp", "system"),
        ("k<<<", "k", "project"),
        ("warpSize;", "warpSize", "system"),
        ("warpSize>>>", "warpSize", "system"),
    ],
)
def test_owner(ast, place: str, name: str, expected: str) -> None:  # type: ignore[no-untyped-def]
    assert ast.errors == 0 and ast.missing_headers == ()
    assert ast.owner(SOURCE.index(place), name) == expected


def test_member_of(ast) -> None:  # type: ignore[no-untyped-def]
    assert ast.member_of(SOURCE.index("warpSize + warpSize")) == "Own"
    assert ast.member_of(SOURCE.index("warpSize>>>")) == "cudaDeviceProp"


def test_missing_header_does_not_end_the_parse(tmp_path: Path, cache: Path) -> None:
    text = '#include "lost.h"\n#include <also/lost.cuh>\nint f() { return cudaDeviceSynchronize(); }\n'
    write(tmp_path, {"a.cu": text})
    result = parse(tmp_path / "a.cu", tmp_path / "a.cu", ParseOptions())
    assert result is not None
    assert result.missing_headers == ("lost.h", "also/lost.cuh")
    assert result.owner(text.index("cudaDeviceSynchronize"), "cudaDeviceSynchronize") == "system"


def test_header_in_the_context_of_its_includer(tmp_path: Path, cache: Path) -> None:
    header = "inline Real twice(Real x) { return 2 * x; }\n"
    write(tmp_path, {"a.cu": 'using Real = float;\n#include "b.cuh"\n', "b.cuh": header})
    result = parse(tmp_path / "a.cu", tmp_path / "b.cuh", ParseOptions())
    assert result is not None and result.errors == 0
    assert result.owner(header.index("Real"), "Real") == "project"


def test_a_unit_is_parsed_once_for_all_of_its_files_until_one_changes(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parsed_module, "_kept", kept := {})
    monkeypatch.setattr(parsed_module, "_MOST_KEPT", 2)
    header, main, other = tmp_path / "b.cuh", tmp_path / "a.cu", tmp_path / "c.cu"
    write(tmp_path, {"a.cu": '#include "b.cuh"\n', "b.cuh": "int f();\n", "c.cu": "int g();\n"})
    first, second = (parse(main, path, ParseOptions()) for path in (main, header))
    assert first is not None and second is not None
    assert first._unit is second._unit
    assert (first.owner(0, "f"), second.owner(len("int "), "f")) == ("", "project")
    newer = parse(main, header, ParseOptions(standard="c++20"))
    assert newer is not None and newer._unit is not first._unit
    header.write_text("long long f(int);\n")
    changed = parse(main, header, ParseOptions())
    assert changed is not None and changed._unit is not first._unit
    assert changed.owner(len("long long "), "f") == "project"
    parse(other, other, ParseOptions())
    assert len(kept) == 2


def test_dynamic_shared_memory_as_one_object_is_no_error(tmp_path: Path, cache: Path) -> None:
    text = "struct Tile { float a[64]; };\n__global__ void k() { extern __shared__ Tile tile; tile.a[0] = 1; }\n"
    unnamed = "namespace { struct Bytes { char a[64]; }; }\n__global__ void n() { extern __shared__ Bytes b[]; b->a[0] = 1; }\n"
    write(tmp_path, {"a.cu": text + unnamed})
    result = parse(tmp_path / "a.cu", tmp_path / "a.cu", ParseOptions())
    assert result is not None and result.errors == 0


def test_ptx_in_a_function_for_both_sides_that_the_host_calls_is_no_error(tmp_path: Path, cache: Path) -> None:
    ptx = '#if defined(__CUDA_ARCH__)\nasm("cvt.rn.bf16.f32 %0, %1;" : "=h"(s) : "f"(x));\n#endif\n'
    text = f"__host__ __device__ unsigned short rounded(float x) {{ unsigned short s = 0;\n{ptx}return s; }}\n"
    write(
        tmp_path,
        {"a.cu": text + "int main() { return rounded(1.0f); }\n", "b.cu": text + "int main() { return no; }\n"},
    )
    parses = [parse(tmp_path / name, tmp_path / name, ParseOptions()) for name in ("a.cu", "b.cu")]
    assert [one.errors if one else -1 for one in parses] == [0, 1]


def test_parenthesised_aggregate_initialisation_does_not_raise(tmp_path: Path, cache: Path) -> None:
    # cursor kind 155, which cindex 18.1.1 does not know
    text = "struct P { int a, b; };\nP p(1, 2);\nint f() { return cudaDeviceSynchronize(); }\n"
    write(tmp_path, {"a.cu": text})
    result = parse(tmp_path / "a.cu", tmp_path / "a.cu", ParseOptions(standard="c++20"))
    assert result is not None
    for offset in range(len(text)):
        result.owner(offset, "p")


def test_headers_are_found(cache: Path) -> None:
    assert (CUDA_STUBS / "cuda_runtime.h").is_file()
    folder = resource_headers()
    assert folder is not None and (folder / "stddef.h").is_file()
    made = precompiled_headers("c++17", "")
    assert made is not None and made.is_file() and made.parent == cache


def test_the_same_is_asked_of_libclang_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(*given: object) -> object:
        asked.append(given)
        return reparsed(*given)  # type: ignore[arg-type]

    reparsed = probes.reparsed
    monkeypatch.setattr(probes, "reparsed", counted)
    text = "constexpr int n = 3; int f() { return n + 4; }\n"
    source = probes.Source(tmp_path / "a.cu", tmp_path / "a.cu", text, ParseOptions())
    at, number = text.index("n + 4"), text.index("3;")
    sum_ = probes.Probes(((at, at + 5),))
    for edits, value in (([], 7), ([], 7), ([Edit(number, number + 1, "5")], 9)):
        assert probes.evaluate(source, sum_, edits).expressions == ((value,),)
    assert len(asked) == 2


def test_an_attribute_by_a_condition_is_part_of_a_declaration() -> None:
    text = "template <int N> __global__\n#ifdef MORE\n__cluster_dims__(2)\n#endif\nvoid kernel(int x) {}\n"
    for before in ("", "#ifdef OTHER\n#endif\n", "int one;\n"):
        file = lex(before + text)
        (kernel,) = find_scopes(file).functions
        assert file.tokens[kernel.first].text == "template"
        assert kernel.kernel


def test_a_declaration_begins_before_conditions_among_its_specifiers() -> None:
    file = lex(
        "int before;\nEXPORT __global__\n#ifdef FEW\n__launch_bounds__(128)\n#else\n__launch_bounds__(64, 2)\n#endif\nvoid k(int n) {}\n"
    )
    (function,) = find_scopes(file).functions
    assert function.kernel and file.tokens[function.first].text == "EXPORT"


def test_a_declaration_begins_after_conditions_around_something_else() -> None:
    file = lex("#ifdef FEW\nDEFINE(few)\n#endif\n__global__ void k(int n) {}\n")
    (function,) = find_scopes(file).functions
    assert function.kernel and file.tokens[function.first].text == "__global__"
