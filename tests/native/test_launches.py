"""Launches of a kernel that is written anew are all found and follow, or the reason says the line that is not understood."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from porter.frontend.lexer import lex
from porter.frontend.scopes import find_scopes
from porter.native.emit.gemm import Emitted
from porter.native.emit.token_edits import Change, cuts, replaced
from porter.native.emit.unused_code import unneeded, unused
from porter.native.launches.launch_config import configured
from porter.native.launches.launches import rewritten
from porter.native.launches.sites import sites
from porter.native.machine.values import Refused
from porter.native.unit_files import Text

KERNEL = """\
template <int Tile>
__global__ void gemm(const CUtensorMap a, const CUtensorMap b, float* c, int m, int n) {}
__global__ void other(const CUtensorMap a, const CUtensorMap b, float* c, int m, int n) {}
"""
MAIN = "main.cu"
EMITTED = Emitted("", (), "gemm_native::grid({a}, {b})", "gemm_native::kThreads", "0")


def texts_of(sources: Mapping[str, str]) -> dict[str, Text]:
    files = {name: lex(source) for name, source in sources.items()}
    return {name: Text(Path(name), file, find_scopes(file)) for name, file in files.items()}


def follow(body: str, before: str = "", earlier: str = "", home: str = MAIN, **headers: str) -> dict[str, str]:
    """The files after their launches were rewritten, without what comes before."""
    start = before + KERNEL
    sources = {MAIN: start + body, **{f"{name}.cuh": text for name, text in headers.items()}}
    texts = texts_of(sources)
    (kernel,) = (f for f in texts[home].scopes.functions if f.name == "gemm" and f.body[0] >= 0)
    launch_sites = sites(kernel, texts[home], list(texts.values()))
    result = rewritten(launch_sites, EMITTED, list(texts.values()), frozenset({Path(earlier)}))
    ported = {}
    for name, text in texts.items():
        changes = result.changes.get(text, [])
        changes = [*changes, *(Change(*p, "") for p in unneeded(text, [(c.first, c.last) for c in changes]))]
        edits = [replaced(text.file, c) for c in changes if c.text]
        edits += cuts(text.file, [c for c in changes if not c.text])
        source = sources[name]
        for edit in sorted(edits, key=lambda e: -e.start):
            source = source[: edit.start] + edit.text + source[edit.end :]
        ported[name] = source.removeprefix(start)
    return ported


def launched(body: str, **more: str) -> str:
    return follow(body, **more)[MAIN]


def why(body: str, **more: str) -> str:
    with pytest.raises(Refused) as refused:
        follow(body, **more)
    return str(refused.value)


NATIVE = "<<<gemm_native::grid(x, y), gemm_native::kThreads, 0, s>>>"


def test_a_launch() -> None:
    body = "void f() { const int grid = m / 8; dim3 block(128); gemm<8><<<grid, block, 1024, s>>>(x, y, c, m, n); }"
    assert launched(body).split() == f"void f() {{ gemm<8>{NATIVE}(x, y, c, m, n); }}".split()


@pytest.mark.parametrize(
    "variable",
    [
        "auto* const kernel = &gemm<8>;",
        "void (*kernel)(CUtensorMap, CUtensorMap, float*, int, int) = gemm<8>;",
        "auto kernel = m > 4 ? gemm<8> : gemm<16>;",
        "auto kernel = m > 4 ? &gemm<8> : n > 2 ? &gemm<16> : &gemm<32>;",
        "Launch kernel = nullptr; if (m > 4) kernel = gemm<8>; else kernel = (gemm<16>);",
        "Launch kernel; switch (m) { case 1: kernel = gemm<8>; break; default: kernel = gemm<16>; }",
        "auto kernel = reinterpret_cast<Launch>(&gemm<8>);",
    ],
)
def test_a_variable(variable: str) -> None:
    body = f"void f() {{ {variable} kernel<<<g, b, 64, s>>>(x, y, c, m, n); }}"
    assert launched(body) == f"void f() {{ {variable} kernel{NATIVE}(x, y, c, m, n); }}"


@pytest.mark.parametrize(
    ("variable", "reason"),
    [
        ("auto kernel = m > 4 ? gemm<8> : other;", "line 4 may choose another kernel"),
        ("auto kernel = m > 4 ? gemm<8> : chosen(m);", "line 4 may choose another kernel"),
        ("Launch kernel = gemm<8>; if (m > 4) kernel = other;", "line 4 may choose another kernel"),
        ("Launch kernel = other; if (m > 4) kernel = gemm<8>;", "line 4 may choose another kernel"),
        ("Launch kernel = chosen(m); if (m > 4) kernel = gemm<8>;", "line 4 may choose another kernel"),
        ("Launch kernel = gemm<8>; change(&kernel);", "line 4 gives it to change, which is not followed"),
        ("Launch kernel = gemm<8>; { Launch kernel = other; kernel<<<1, 1>>>(c); }", "may choose another kernel"),
        ("Launch kernel = gemm<8>; auto again = kernel;", "may choose another kernel"),
        ("auto kernel = gemm<8>; kept.kernel = kernel;", "keeps it somewhere that is not followed"),
        ("auto kernel = gemm<8>; return kernel;", "names it in a way that is not followed"),
        ("Launch kernel[2] = {gemm<8>, other};", "names it in a way that is not followed"),
        ("auto kernel = gemm<8>; launch_it<gemm<16>>(x);", "names it in a way that is not followed"),
        ("auto kernel = gemm<8>; launch_it<decltype(kernel), gemm<16> >(x);", "gives it to a template"),
        ("auto kernel = gemm<8>; cudaLaunchCooperativeKernel(kernel, g, b, args);", "cudaLaunchCooperativeKernel"),
        ("auto kernel = gemm<8>; gemm<16>;", "not followed"),
    ],
)  # fmt: skip
def test_a_variable_that_may_be_another_kernel(variable: str, reason: str) -> None:
    assert reason in why(f"void f() {{ {variable} kernel<<<g, b, 64, s>>>(x, y, c, m, n); }}")


def test_variables_of_other_blocks_and_functions_stay() -> None:
    body = """\
void f() { if (m) { auto kernel = gemm<8>; kernel<<<g, b, 64, s>>>(x, y, c, m, n); } else { auto kernel = other; kernel<<<g, b>>>(); } }
void g() { auto kernel = other; kernel<<<g, b, 64, s>>>(x, y, c, m, n); }
"""
    first = f"kernel{NATIVE}(x, y, c, m, n); }} else {{ auto kernel = other; kernel<<<g, b>>>(); }} }}"
    assert launched(body).splitlines() == [
        f"void f() {{ if (m) {{ auto kernel = gemm<8>; {first}",
        body.splitlines()[1],
    ]


LAUNCHER = """\
template <class T, class... Args>
void launch(T* kernel, int blocks, int threads, int bytes, Args... args) {
  if (bytes > 48000) CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<blocks, threads, bytes>>>(args...);
}
"""


def test_a_function_that_launches_what_it_is_given() -> None:
    """The calls change; the function serves other kernels as before."""
    body = """\
void f() {
  const int blocks = cdiv(m, 8) * cdiv(n, 8);
  const int bytes = 4 * kBytes;  // of a tile
  auto kernel = gemm<8>;
  launch(kernel, blocks, 128, bytes, x, y, c, m, n);
}
void g() { launch(other, 2, 32, 0, x, y, c, m, n); }
"""
    ported = follow(body, launch=LAUNCHER, earlier="launch.cuh")
    assert ported["launch.cuh"] == LAUNCHER
    assert (
        ported[MAIN]
        == """\
void f() {
  auto kernel = gemm<8>;
  launch(kernel, gemm_native::grid(x, y).x, gemm_native::kThreads, 0, x, y, c, m, n);
}
void g() { launch(other, 2, 32, 0, x, y, c, m, n); }
"""
    )


def test_functions_that_hand_a_kernel_on() -> None:
    outer = (
        LAUNCHER
        + """\
template <class T, class... Rest>
void with_grid(T* kernel, dim3 grid, const CUtensorMap& a, Rest&&... rest) {
  launch2(kernel, grid, 128, a, std::forward<Rest>(rest)...);
}
template <class T, class... Args>
void launch2(T kernel, dim3 grid, int threads, Args&&... args) { kernel<<<grid, threads>>>(std::forward<Args>(args)...); }
"""
    )
    body = outer + "void f() { with_grid(&gemm<8>, dim3(4), x, y, c, m, n); }\n"
    assert "threads is given" not in body
    reached = launched(body)
    assert "with_grid(&gemm<8>, gemm_native::grid(x, y), x, y, c, m, n)" in reached
    assert "launch2(kernel, grid, gemm_native::kThreads, a," in reached
    assert "launch2(kernel, grid, 128, a," not in reached


def test_a_configuration_whose_kernel_is_launched_in_a_loop() -> None:
    before = "constexpr int kCluster = 2;\n"
    launch = "  cudaLaunchKernelEx(&config, gemm<8>, x, y, c, m, n);\n"
    loop = CONFIGURED.replace(launch, f"  for (int i = 0; i < 2; ++i) {{\n  {launch}  }}\n")
    assert "config.gridDim = gemm_native::grid(x, y);" in launched(loop, before=before)
    changed = loop.replace(f"  {launch}", f"  {launch}    advance(x);\n")
    assert "names x between a launch's grid and the launch" in why(changed, before=before)


def test_a_librarys_function_of_the_same_name() -> None:
    body = "void f() { cuda::launch(gemm<8>, 4, 128, 512, x, y, c, m, n); }"
    assert "gives it to launch, which is not followed" in why(LAUNCHER + body)
    assert "gemm_native" in launched(f"namespace cuda {{\n{LAUNCHER}}}\n" + body)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("<<<blocks,", "<<<blocks + 1,"), "names launch, whose launch would change, for another kernel"),
        (("  kernel<<<", "  report(threads);\n  kernel<<<"), "uses threads for something else than a launch"),
        (("  kernel<<<", "  const int per = blocks / 2;\n  kernel<<<"), "uses blocks for something else than a launch"),
        (("  kernel<<<", "  kernel = fallback;\n  kernel<<<"), "may choose another kernel"),
        (("(args...);", "(swapped(args)...);"), "an argument for a that is not followed"),
        (("int blocks", "Blocks blocks"), "leaves it open what blocks is"),
        (("Size, bytes", "Size, 2 * bytes"), "names launch, whose launch would change, for another kernel"),
    ],
)
def test_functions_that_do_more_than_launch(change: tuple[str, str], reason: str) -> None:
    assert change[0] in LAUNCHER
    body = "void f() { launch(gemm<8>, 4, 128, 512, x, y, c, m, n); launch(other, 2, 32, 0, x, y, c, m, n); }"
    assert reason in why(LAUNCHER.replace(*change) + body)


def test_a_lambda_that_is_given_the_kernel_alone() -> None:
    body = """\
void f() {
  auto const run = [&](auto* k) {
    if (auto e = cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes)) return e;
    k<<<dim3(m, n), 128, kBytes, s>>>(x, y, c, m, n);
    return cudaGetLastError();
  };
  return m ? run(&gemm<8>) : run(&gemm<16>);
}
"""
    reached = launched(body)
    assert f"k{NATIVE}(x, y, c, m, n);" in reached
    assert "MaxDynamicSharedMemorySize, 0))" in reached
    assert (
        why(body.replace("run(&gemm<16>)", "run(&other)"))
        == "line 10 names run, whose launch would change, for another kernel"
    )
    assert "keeps it" in why(body.replace("k<<<dim3", "saved = k;\n    k<<<dim3"))


def test_calls_of_the_runtime() -> None:
    body = """\
void f() {
  void* args[] = {&x, (void*)&y, &c, &m, &n};
  cudaLaunchKernel((const void*)gemm<8>, dim3(4), dim3(128), args, 512, s);
}
"""
    call = "cudaLaunchKernel((const void*)gemm<8>, gemm_native::grid(x, y), gemm_native::kThreads, args, 0, s);"
    assert call in launched(body)
    assert "arguments that are not followed" in why(body.replace("&x,", "px,"))
    assert "arguments that are not followed" in why(body.replace("  cuda", "  args[0] = &y;\n  cuda"))


CONFIGURED = """\
void f() {
  CUtensorMap x = map(1), y = map(2);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(m / 8, n / 8);
  config.blockDim = 256;
  config.dynamicSmemBytes = kBytes;
  config.stream = s;
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = kCluster;
  attribute[0].val.clusterDim.y = 1;
  attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, gemm<8>, x, y, c, m, n);
}
"""


def sizes_of(body: str) -> list[tuple[int, int, int]]:
    texts = texts_of({MAIN: KERNEL + "constexpr int kCluster = 2;\n" + body})
    (kernel,) = (f for f in texts[MAIN].scopes.functions if f.name == "gemm" and f.body[0] >= 0)
    return [
        size
        for site in sites(kernel, texts[MAIN], [texts[MAIN]]).launches
        for size in configured(site, Path(MAIN)).clusters
    ]


def test_a_launch_with_a_configuration_and_clusters() -> None:
    assert (
        launched(CONFIGURED, before="constexpr int kCluster = 2;\n")
        == """\
void f() {
  CUtensorMap x = map(1), y = map(2);
  cudaLaunchConfig_t config = {};
  config.gridDim = gemm_native::grid(x, y);
  config.blockDim = gemm_native::kThreads;
  config.dynamicSmemBytes = 0;
  config.stream = s;
  cudaLaunchKernelEx(&config, gemm<8>, x, y, c, m, n);
}
"""
    )
    assert sizes_of(CONFIGURED) == [(2, 1, 1)]
    assert sizes_of(CONFIGURED.replace("numAttrs = 1", "numAttrs = m > 4 ? 1 : 0")) == [(2, 1, 1), (1, 1, 1)]
    braces = CONFIGURED.replace("clusterDim.x = kCluster", "clusterDim = {kCluster, 2, 1}")
    assert sizes_of(braces.replace("  attribute[0].val.clusterDim.y = 1;\n", "")) == [(2, 2, 1)]


def test_a_configuration_in_braces() -> None:
    body = (
        "void f() { cudaLaunchConfig_t c1 = {dim3(4), 128, 512, s}; cudaLaunchKernelEx(&c1, gemm<8>, x, y, c, m, n); }"
    )
    assert "c1 = {gemm_native::grid(x, y), gemm_native::kThreads, 0, s};" in launched(body)
    named = body.replace("{dim3(4), 128, 512, s}", "{.gridDim = 4, .blockDim = 128, .stream = s}")
    assert "{.gridDim = gemm_native::grid(x, y), .blockDim = gemm_native::kThreads, .stream = s};" in launched(named)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("  CUtensorMap x = map(1), y = map(2);\n", ""), ""),
        (("  config.stream", "  CUtensorMap x = map(1);\n  config.stream"), "names x between a launch's grid and"),
        (("  config.stream", "  encode(&y);\n  config.stream"), "names y between a launch's grid and the launch"),
        (("= kCluster", "= m"), "gives clusters a size that is no constant"),
        (("  config.stream", "  fill(&config);\n  config.stream"), "uses config in a way that is not followed"),
        (("config.gridDim = dim3", "config.gridDim.x = dim3"), "uses config in a way that is not followed"),
        (("  config.blockDim = 256;\n", ""), "a configuration that is not followed"),
        (("config = {};", "config = usual();"), "begins config in a way that is not followed"),
        (
            ("attribute[0].id = cudaLaunchAttributeClusterDimension;", "attribute[0] = usual;"),
            "attributes that are not",
        ),
        (("= cudaLaunchAttributeClusterDimension;", "= kind;"), "attributes that are not followed"),
        (
            ("  config.attrs", "  attribute[1].id = cudaLaunchAttributePriority;\n  config.attrs"),
            "other attributes beside its clusters",
        ),
        (("  cudaLaunchK", "  cudaLaunchKernelEx(&config, other, x, y, c, m, n);\n  cudaLaunchK"), "uses config"),
        (("Ex(&config", "Ex(config"), "uses config in a way that is not followed"),
    ],
)
def test_configurations_that_are_not_followed(change: tuple[str, str], reason: str) -> None:
    assert change[0] in CONFIGURED
    body = CONFIGURED.replace(*change)
    if reason:
        assert reason in why(body, before="constexpr int kCluster = 2;\n")
    else:
        assert "gemm_native::grid(x, y)" in launched(body, before="constexpr int kCluster = 2;\n")


def test_places_and_names() -> None:
    body = "void f() { gemm<8><<<g, b, 64, s>>>(x, y, c, m, n); }"
    declared = f"template <int> __global__ void gemm(const CUtensorMap, const CUtensorMap, float*, int, int);\n{body}\n"
    assert why("", before=declared) == "line 2 launches it before its definition"
    assert "defines another kernel of its name" in why(body, helper="__global__ void gemm(int) {}\n")
    assert "launched nowhere" in why("void f() {}")
    assert "helper.cuh:1 gives it to run" in why(body, helper="inline void g() { run(gemm<8>); }\n")
    assert launched("using T = int;\ntemplate __global__ void gemm<8>(CUtensorMap);\n" + body)


def test_namespaces() -> None:
    body = """\
namespace app { void f() { lib::inner::gemm<8><<<g, b, 64, s>>>(x, y, c, m, n); } }
"""
    library = f"namespace lib::inner {{\n{KERNEL}}}\n"
    texts = texts_of({MAIN: library + body})
    (kernel,) = (f for f in texts[MAIN].scopes.functions if f.name == "gemm")
    changed = rewritten(sites(kernel, texts[MAIN], [texts[MAIN]]), EMITTED, [texts[MAIN]], frozenset())
    assert [c.text for c in changed.changes[texts[MAIN]]] == [
        "lib::inner::gemm_native::grid(x, y)", "lib::inner::gemm_native::kThreads", "0"
    ]  # fmt: skip
    outer = library.replace("}\n}\n", "}\n") + "}\nvoid f() { auto k = &lib::inner::gemm<8>; go(k); }\n"
    before = "template <class K> void go(K k) { k<<<1, 2, 3>>>(x, y, c, m, n); }\n"
    texts = texts_of({MAIN: before + outer})
    (kernel,) = (f for f in texts[MAIN].scopes.functions if f.name == "gemm")
    with pytest.raises(Refused, match="before its definition"):
        rewritten(sites(kernel, texts[MAIN], [texts[MAIN]]), EMITTED, [texts[MAIN]], frozenset())


def test_kernels_of_one_name() -> None:
    second = f"namespace lib::two {{\n{KERNEL}void g() {{ gemm<4><<<1, 2, 3>>>(x, y, c, m, n); }}\n}}\n"
    body = "void f() { lib::one::gemm<8><<<g, b, 64, s>>>(x, y, c, m, n); lib::two::gemm<8><<<g, b, 64, s>>>(x, y, c, m, n); }"
    texts = texts_of({"library.cuh": f"namespace lib::one {{\n{KERNEL}}}\n", "two.cuh": second, MAIN: body})
    (kernel,) = (f for f in texts["library.cuh"].scopes.functions if f.name == "gemm")
    launch_sites = sites(kernel, texts["library.cuh"], list(texts.values()))
    assert [(text.path.name, text.text(index - 2)) for text, index in launch_sites.mentions] == [(MAIN, "one")]
    for unclear in ("gemm<8>", "auto k = m ? lib::one::gemm<8> : lib::two::gemm<8>; k", "other::gemm<8>"):
        texts[MAIN] = texts_of({MAIN: f"void f() {{ {unclear}<<<g, b, 64, s>>>(x, y, c, m, n); }}"})[MAIN]
        with pytest.raises(Refused, match=r"another kernel|not followed"):
            sites(kernel, texts["library.cuh"], list(texts.values()))


def test_defaults_of_templates_name_nothing() -> None:
    file = lex("template <int N = 2> struct Kept { static constexpr int M = N; };\nvoid f() { g<Kept<3>>(gone); }\n")
    assert (
        unused(file, find_scopes(file), [(k, k) for k, t in enumerate(file.tokens) if t.text == "gone"], frozenset())
        == []
    )
