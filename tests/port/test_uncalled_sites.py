"""Sites in functions of libraries' headers that nothing of the run calls are told apart; where that is not certain they count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from porter.findings import FilePort, Finding, Safety
from porter.frontend.unit import Options
from porter.port.building.compiled import with_build
from porter.port.files.write import write_ports
from porter.port.jobs import Plan
from porter.port.pipeline import Conversion
from porter.port.runs.plan import plan
from porter.port.runs.run import run_jobs
from porter.toolchain import find_toolchain

LEFT = 'asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");'
MAIN = (
    "#include <lib.cuh>\n{before}__global__ void k(int *p) {{ {body} }}\nvoid f(int *p) {{ k<<<1, 32>>>(p); {host} }}\n"
)


def convert(folder: Path, library: str, mains: dict[str, str], defines: tuple[str, ...] = ()) -> dict[str, FilePort]:
    return {Path(port.path).name: port for port in convert_all(folder, library, mains, defines)[2]}


def convert_all(
    folder: Path, library: str, mains: dict[str, str], defines: tuple[str, ...] = ()
) -> tuple[Conversion, Plan, list[FilePort]]:
    (folder / "lib").mkdir(exist_ok=True)
    (folder / "lib/lib.cuh").write_text(f"#pragma once\n#include <cuda_runtime.h>\n{library}\n")
    for name, text in mains.items():
        (folder / name).write_text(text)
    conversion = Conversion(Options(includes=(str(folder / "lib"),), defines=defines))
    todo = plan([folder / name for name in mains], folder / "out", False, conversion, out_is_folder=True)
    return conversion, todo, run_jobs(todo.jobs, conversion, 1)


def site(library: str, folder: Path, body: str = "p[0] = 1;", before: str = "", host: str = "", **more: str) -> Finding:
    mains = {"a.cu": MAIN.format(before=before, body=body, host=host)} | {f"{n}.cu": t for n, t in more.items()}
    (left,) = [f for f in convert(folder, library, mains)["lib.cuh"].findings if f.safety is Safety.LEFT]
    return left


WAIT = f"__device__ inline void wait() {{ {LEFT} }}"
MEMBER = f"struct unit {{ __device__ static void wait() {{ {LEFT} }} }};"
TEMPLATE = f"template <class T> struct unit {{ __device__ static void wait() {{ {LEFT} }} }};"


@pytest.mark.parametrize(
    "library",
    [
        WAIT,
        MEMBER,
        TEMPLATE,
        f"template <class T> __device__ void wait(T) {{ {LEFT} }}",
        f"__inline__ __device__ void wait() {{ {LEFT} }}",
    ],
)
def test_what_nobody_calls_needs_no_person(library: str, tmp_path: Path) -> None:
    left = site(library, tmp_path)
    assert not left.called and not left.needs_person


def test_a_lambda_of_a_template_belongs_to_the_function_around_it(tmp_path: Path) -> None:
    """It has no name, so that it is nobody's root: `[]<class T>(T) {` is no function called `>`."""
    library = f"{WAIT}\ntemplate <class T> __device__ void never(T t) {{ [&]<class U>(U) {{ wait(); }}(t); }}"
    assert not site(library, tmp_path).needs_person


@pytest.mark.parametrize(
    "made",
    [
        "template void other<unit>(holder<unit> *);",
        "template __global__ void kernel<unit, (1 < 2)>(holder<unit> *);",
        "template struct holder<unit>;",
    ],
)
def test_what_an_explicit_instantiation_only_mentions_is_not_made_for_other_units(made: str, tmp_path: Path) -> None:
    templates = (
        "template <class T> struct holder { }; template <class T> void other(holder<T> *) { }\n"
        "template <class T, bool B> __global__ void kernel(holder<T> *) { }\n"
    )
    assert not site(f"{MEMBER}\n{templates}", tmp_path, before=f"{made}\n").needs_person


PASTED = """#include <cuda.h>
#define CALL(func) call_##func
#define WRAP(func) \\
  template <class... A> CUresult call_##func(A... args) { return reinterpret_cast<CUresult (*)(A...)>(&func)(args...); }
WRAP(cuTensorMapEncodeIm2col)
"""


@pytest.mark.parametrize(
    ("library", "host", "counts"),
    [
        (PASTED, "", False),
        (PASTED + "inline CUresult never() { return CALL(cuTensorMapEncodeIm2col)(); }", "", False),
        (PASTED, "CALL(cuTensorMapEncodeIm2col)();", True),
        (PASTED, "call_cuTensorMapEncodeIm2col();", True),
        (PASTED.replace("template <class... A>", "inline").replace("A... args", "").replace("A...", "").replace("args...", ""), "", True),
        (PASTED.replace("call_##func(A", "call(A"), "", True),
        (PASTED.replace("(args...); }\n", "(args...); } inline int now_##func() { return func != nullptr; }\n"), "", True),
        (PASTED + "#define WRAP(func) static int registered_##func = func;", "", True),
    ],
)  # fmt: skip
def test_a_template_that_a_macro_makes_runs_where_its_name_is_made(
    library: str, host: str, counts: bool, tmp_path: Path
) -> None:
    found = convert(tmp_path, library, {"a.cu": MAIN.format(before="", body="p[0] = 1;", host=host)})[
        "lib.cuh"
    ].findings
    assert [f.needs_person for f in found if "Im2col:" in f.message and f.safety is Safety.REVIEW][:1] == [counts]


LATE = "template <class T> __device__ void late(T *p) { T::wait(); }"


@pytest.mark.parametrize(
    ("library", "before", "body"),
    [
        (WAIT, "", "wait();"),
        (MEMBER, "", "unit::wait();"),
        (TEMPLATE, "", "unit<int>::wait();"),
        (TEMPLATE + LATE, "", "late<unit<int>>((unit<int> *)0);"),  # known when the template's instance is made
        (f"template <class T> __device__ void wait() {{ }} template <> __device__ inline void wait<int>() {{ {LEFT} }}", "", "wait<int>();"),
        (WAIT, "", "auto f = &wait; f();"),
        (WAIT, "using F = void (*)(); template <F f> __device__ void by() { f(); }\n", "by<wait>();"),
        (WAIT, "", "auto f = [] { wait(); }; f();"),
        (WAIT, "#define CAT(a, b) a##b\n", "CAT(wa, it)();"),
        (WAIT, "#define STEP wait()\n", "STEP;"),
        (f"namespace n {{ struct A {{ }}; __device__ inline void step(A) {{ {LEFT} }} }}", "", "step(n::A{});"),
        (f"struct A {{ friend __device__ void step(A) {{ {LEFT} }} }};", "", "step(A{});"),
        (f"struct A {{ __device__ A() {{ {LEFT} }} }};", "", "A a;"),
        (f"struct A {{ __device__ ~A() {{ {LEFT} }} }};", "", "A a;"),
        (f"struct A {{ __device__ operator int() {{ {LEFT} return 1; }} }};", "", "int i = A{};"),
    ],
)  # fmt: skip
def test_what_a_kernel_calls_counts(library: str, before: str, body: str, tmp_path: Path) -> None:
    assert site(library, tmp_path, body, before).needs_person


@pytest.mark.parametrize(
    "library",
    [
        f"struct A {{ __device__ virtual void step() {{ {LEFT} }} }}; A *made();",
        f"struct A {{ __device__ virtual void step() {{ }} }}; struct B : A {{ __device__ void step() {{ {LEFT} }} }}; B *made();",
        f"struct A {{ __device__ int operator()(int a) const {{ {LEFT} return a; }} }}; A made();",  # thrust may call it
        f"struct A {{ __device__ A() {{ {LEFT} }} }}; A made();",
        f"template <class T> __device__ void wait(T) {{ {LEFT} }}\ntemplate __device__ void wait<int>(int);",
        f"template <class T> struct A {{ __device__ void wait() {{ {LEFT} }} }};\ntemplate struct A<int>;",
        f"namespace n {{ template <class T> __device__ T wait(T t) {{ {LEFT} return t; }} }}\ntemplate __device__ int n::wait<int>(int);",
        f"template <class T> struct A {{ template <class U> __device__ void wait() {{ {LEFT} }} }};\ntemplate __device__ void A<int>::wait<A<char>>();",
        f"template <class T> __device__ T *wait() {{ {LEFT} return 0; }}\ntemplate __device__ __attribute__((noinline)) int *wait<int>();",
        f"struct A {{ }}; __device__ inline void swap(A &, A &) {{ {LEFT} }}",
        f"#define FUNCTION(n) struct n##_tag {{ }}; __device__ inline void n()\nFUNCTION(wait) {{ {LEFT} }}",
        f"#define BODY {LEFT}\n__device__ inline void wait() {{ BODY }}",
        f"__device__ void wait() {{ {LEFT} }}",  # other units may call it
        f"__attribute__((used)) static __device__ void wait() {{ {LEFT} }}",
    ],
)  # fmt: skip
def test_what_cannot_be_told_counts(library: str, tmp_path: Path) -> None:
    assert site(library, tmp_path).needs_person


@pytest.mark.parametrize(
    "library",
    [
        f"{WAIT}\nstruct A {{ __device__ virtual void step() {{ wait(); }} }};",
        f"{WAIT}\nstruct A {{ __device__ A() {{ wait(); }} }};",
        f"{WAIT}\nstruct A {{ __device__ A(int) {{ }} __device__ ~A() {{ wait(); }} }};",
        f"{WAIT}\ntemplate <class T> struct base {{ __device__ void step() {{ ((T *)this)->own(); }} }};\n"
        "struct A : base<A> { __device__ void own() { wait(); } __device__ operator int() { step(); return 1; } };",
    ],
)
@pytest.mark.parametrize(
    ("before", "body", "counts"),
    [
        ("", "p[0] = 1;", False),
        ("template <class T> __device__ void never(A a) { }\n", "p[0] = 1;", False),
        ("#define NEVER(x) A x\n", "p[0] = 1;", False),
        ("", "A *a = nullptr; p[0] = a != nullptr;", True),
        ("#define MADE(x) A x\n", "MADE(*a) = nullptr; p[0] = a != nullptr;", True),
        ("using B = A;\n", "p[0] = 1;", False),
        ("using B = A;\nstruct C { };\n", "B *b = nullptr; p[0] = b != nullptr;", True),
        ("namespace n { using ::A; }\n", "p[0] = 1;", False),
        ("namespace n { using ::A; }\n", "n::A *a = nullptr; p[0] = a != nullptr;", True),
        ("template <class T> struct X { }; template <> struct X<A> { A *a; };\n", "X<int> *x = nullptr; p[0] = x != nullptr;", False),
        ("template <class T> struct X { }; template <> struct X<A> { A *a; };\n", "X<A> *x = nullptr; p[0] = x != nullptr;", True),
        ("struct S { }; template <class T> struct X { }; template <> struct X<S> { A *a; };\n", "X<int> *x = nullptr; p[0] = x != nullptr;", False),
        ("struct S { }; template <class T> struct X { }; template <> struct X<S> { A *a; };\n", "X<S> *x = nullptr; p[0] = x != nullptr;", True),
        ("struct C { A a; };\n", "C *c = nullptr; p[0] = c != nullptr;", True),
        ("struct C { A a; };\n", "p[0] = 1;", False),
        ("struct C { static inline A *a; };\n", "p[0] = 1;", True),
        ("struct D; struct C { using B = A; B *b; D *d; }; struct D { C c; };\n", "p[0] = 1;", False),
        ("struct D; struct C { using B = A; B *b; D *d; }; struct D { C c; };\n", "D *c = nullptr; p[0] = c != nullptr;", True),
        ("struct C { A a; }; struct D : C { };\n", "p[0] = 1;", True),
        ("namespace tags { namespace A { struct all { }; } }\n", "p[0] = 1;", False),
    ],
)  # fmt: skip
@pytest.mark.sample(4)
def test_members_without_their_names_run_where_something_names_their_class(
    library: str, before: str, body: str, counts: bool, tmp_path: Path
) -> None:
    by_name = convert(tmp_path, f"{library}\n{before}", {"a.cu": MAIN.format(before="", body=body, host="")})
    (left,) = [f for f in by_name["lib.cuh"].findings if f.safety is Safety.LEFT]
    assert left.needs_person == counts


MEMBERS = f"""struct far {{ template <int N> __device__ static void step() {{ {LEFT} }} }};
template <int N> struct step {{ int x; }};
struct near {{
  template <class T> __device__ static void first(T t);
  template <class T> __device__ static int first(T t, int n) {{ step<1> s{{n}}; return s.x; }}
}};
template <class T> __device__ void near::first(T t) {{ }}
"""


@pytest.mark.parametrize(
    ("library", "body", "counts"),
    [
        (MEMBERS, "near::first(1);", False),  # `step<1>` is the class, and no definition of what is called
        (MEMBERS.replace("step<1> s{n}; return s.x;", "far::step<1>(); return n;"), "near::first(1);", False),
        (MEMBERS.replace("step<1> s{n}; return s.x;", "far::step<1>(); return n;"), "near::first(1, 2);", True),
        (MEMBERS.replace("{ }\n", "{ far::step<1>(); }\n"), "near::first(1);", True),
        (MEMBERS.replace("struct near", "struct near : far").replace("step<1> s{n}; return s.x;", "step<1>(); return n;"), "near::first(1, 2);", True),
    ],
)  # fmt: skip
def test_a_bare_name_means_members_of_the_class_alone(library: str, body: str, counts: bool, tmp_path: Path) -> None:
    assert site(library, tmp_path, body).needs_person == counts


BRANCH = f"template <int N> __device__ void step() {{ if constexpr (N > 1 && N < 4) {{ {LEFT} }} }}\n"
CHAIN = (
    "template <int N> __device__ int step() { if constexpr (N == 1) { return 1; } else if constexpr (N == 2) { return 2; } "
    f"else {{ {LEFT} return 3; }} }}\n"
)
FUNCTOR = f"{BRANCH}template <int N> struct add {{ __device__ int operator()(int a, int b) const {{ step<N>(); return a + b; }} }};\n"


@pytest.mark.parametrize(
    ("library", "body", "counts"),
    [
        (BRANCH, "step<1>();", False),
        (BRANCH, "step<1>(); step<2>();", True),
        (CHAIN, "step<1>(); step<2>();", False),
        (CHAIN, "step<1>(); step<3>();", True),
        (BRANCH.replace("N > 1 && N < 4", "sizeof(unsigned) == N * 2"), "step<1>();", False),
        (BRANCH.replace("N > 1 && N < 4", "constexpr bool b = N > 1; b"), "step<1>();", True),  # is not read
        (f"__device__ inline void step() {{ if constexpr (sizeof(int) == 8) {{ {LEFT} }} }}", "step();", False),
        (f"{BRANCH}#ifdef MORE\n__device__ inline void more() {{ step<2>(); }}\n#endif", "step<1>();\n#ifdef MORE\nmore();\n#endif\n", True),
        (f"{BRANCH}template __device__ void step<2>();", "step<1>();", True),
        (FUNCTOR, "add<1>()(p[0], 1);", False),
    ],
)  # fmt: skip
def test_branches_that_no_instance_takes_need_no_person(library: str, body: str, counts: bool, tmp_path: Path) -> None:
    assert site(library, tmp_path, body).needs_person == counts


def test_kernels_that_other_units_launch_may_take_other_branches(tmp_path: Path) -> None:
    other = "template <int N> __global__ void other() { step<N>(); }\n"
    assert site(BRANCH, tmp_path, "step<1>();", before=other).needs_person


HIDDEN = f"#ifdef MORE\n{{}}struct A {{{{ __device__ static void wait() {{{{ {LEFT} }}}} }}}};\n#endif\n"


@pytest.mark.parametrize(
    ("library", "body", "counts"),
    [
        (HIDDEN.format(""), "p[0] = 1;", False),
        (HIDDEN.format("") + "#if 0\ninline void g() { A::wait(); }\n#endif", "p[0] = 1;", False),
        (HIDDEN.format("") + "template <class T> struct traits { }; \n#ifdef MORE\ntemplate <> struct traits<A> { };\n#endif", "traits<int> t; wait(t);", False),
        (HIDDEN.format(""), "\n#ifdef MORE\nA::wait();\n#endif\n", True),
        (HIDDEN.format("__device__ inline void by();\n") + "#ifdef MORE\n__device__ inline void by() { A::wait(); }\n#endif", "\n#ifdef MORE\nby();\n#endif\n", True),
        (HIDDEN.format("") + "#ifdef MORE\nusing B = A;\n#endif", "p[0] = 1;", True),
        (HIDDEN.format("") + "__device__ inline void by() {\n#ifdef MORE\nA::wait();\n#endif\n}", "by();", True),
        (HIDDEN.format("") + "__device__ inline void by() {\n#ifdef MORE\nA::wait();\n#endif\n}", "p[0] = 1;", False),
    ],
)  # fmt: skip
def test_what_the_parse_has_not_seen_counts_where_anybody_names_it(
    library: str, body: str, counts: bool, tmp_path: Path
) -> None:
    before = "template <class T> __device__ void wait(T) { }\n" if "traits<int>" in body else ""
    assert site(library, tmp_path, body, before).needs_person == counts


def test_what_the_standard_library_calls_counts(tmp_path: Path) -> None:
    library = (
        "#include <algorithm>\nnamespace n { struct A { int x; };\n"
        f"__host__ __device__ inline void swap(A &a, A &b) {{ {LEFT} int x = a.x; a.x = b.x; b.x = x; }} }}"
    )
    assert site(library, tmp_path, host="n::A a[2] = {}; std::iter_swap(a, a + 1);").needs_person


def test_what_a_library_without_its_text_calls_counts(tmp_path: Path) -> None:
    library = f"{WAIT}\ntemplate <class T> struct add {{ __device__ T operator()(T a, T b) const {{ T::wait(); wait(); return a + b; }} }};"
    host = "thrust::reduce(thrust::device, p, p + 1, 0, add<int>());"
    before = "#include <thrust/execution_policy.h>\n#include <thrust/reduce.h>\n"
    assert site(library, tmp_path, host=host, before=before).needs_person


def test_one_of_several_units_that_calls_is_enough(tmp_path: Path) -> None:
    assert site(
        WAIT, tmp_path, b=MAIN.format(before="", body="wait();", host="").replace("f(", "g(").replace(" k", " j")
    ).needs_person


def test_host_code_that_device_code_does_not_have(tmp_path: Path) -> None:
    """With -D the preprocessor's choices are the build's, but what the host has in place of the device's still runs."""
    library = f"{WAIT}\n__host__ __device__ inline void step() {{\n#ifndef __CUDA_ARCH__\n  wait();\n#endif\n}}"
    main = MAIN.format(before="", body="step();", host="step();")
    findings = convert(tmp_path, library, {"a.cu": main}, ("SOMETHING",))["lib.cuh"].findings
    assert [f.needs_person for f in findings if f.safety is Safety.LEFT] == [True]


NAME = "__device__ void wait(__nv_fp8_e8m0);"


def compiled(library: str, folder: Path, defines: tuple[str, ...], main: str = "") -> list[bool]:
    """For each site of the library, and then of the unit's own file, whether it may be compiled."""
    before = main or "#define OF_MAIN 1\n"
    ports = convert(folder, library, {"a.cu": MAIN.format(before=before, body="p[0] = 1;", host="")}, defines)
    sites = [*ports["lib.cuh"].findings, *ports["a.cu"].findings]
    return [f.compiled for f in sites if f.safety is Safety.LEFT]


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        (f"#ifdef MORE\n{NAME}\n#endif", [False]),
        (f"#ifdef GIVEN\n{NAME}\n#endif", [True]),
        (f"#ifdef GIVEN\nint x;\n#else\n{NAME}\n#endif", [False]),
        (f"#if defined(GIVEN) && GIVEN > 1\n#define MORE\n#endif\n#ifdef MORE\n{NAME}\n#endif", [False]),
        (f"#if defined(GIVEN) && !defined(OF_MAIN)\n{NAME}\n#endif", [True]),  # defined behind it
        (f"#if defined(__CUDA_ARCH__)\nint x;\n#else\n{NAME}\n#endif", [True]),  # the host's compilation
        (f"#ifdef __CUDA_ARCH__\n#define DEVICE_ONLY\n#endif\n#ifndef DEVICE_ONLY\n{NAME}\n#endif", [True]),
        (f"#if CUDA_VERSION >= 12080\n#define NEWER\n#endif\n#ifndef NEWER\n{NAME}\n#endif", [True]),  # a port is 12.4
        (f"#ifdef __HIP_PLATFORM_AMD__\n#define ON_HIP\n#endif\n#ifdef ON_HIP\n{NAME}\n#endif", [True]),
        (f"#include <no_such_header.h>\n#ifdef MORE\n{NAME}\n#endif", [True]),  # which may define MORE
    ],
)
def test_with_macros_given_conditions_are_decided(library: str, expected: list[bool], tmp_path: Path) -> None:
    assert compiled(library, tmp_path, ("GIVEN",)) == expected


def test_a_header_that_is_included_under_such_a_condition_is_decided(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/more.cuh").write_text(f"#pragma once\n{NAME}\n")
    ports = convert(
        tmp_path,
        "#ifdef MORE\n#include <more.cuh>\n#endif",
        {"a.cu": MAIN.format(before="", body="", host="")},
        ("GIVEN",),
    )
    assert [f.compiled for f in ports["more.cuh"].findings if f.safety is Safety.LEFT] == [False]


NEWER = "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000\n#define NEWER\n#endif\n"


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        (f"#ifdef MORE\n{NAME}\n#endif", [True]),
        (f"{NEWER}#ifdef NEWER\n{NAME}\n#endif", [False]),
        (f"#ifndef LIB\n#define LIB\n{NEWER}#ifdef NEWER\n#define SOME\n#endif\n#ifdef SOME\n{NAME}\n#endif\n#endif", [False]),
        (f"{NEWER}#ifndef NEWER\n{NAME}\n#endif", [True]),
        (f"{NEWER}#ifdef MORE\n#define NEWER\n#endif\n#ifdef NEWER\n{NAME}\n#endif", [True]),
        (f"{NEWER}#if defined(NEWER) || defined(MORE)\n{NAME}\n#endif", [True]),
    ],
)  # fmt: skip
def test_without_macros_conditions_are_open_that_the_unit_does_not_decide(
    library: str, expected: list[bool], tmp_path: Path
) -> None:
    assert compiled(library, tmp_path, ()) == expected


@pytest.mark.parametrize(
    ("library", "defines", "named"),
    [
        (f"#if defined(MORE) || OTHER > 1\n{NAME}\n#endif", (), "MORE OTHER are"),
        (f"#ifdef MORE\n{NAME}\n#endif", (), "MORE is"),
        (f"#ifdef MORE\n{NAME}\n#endif", ("GIVEN",), ""),
        (f"#ifdef MORE\n#endif\n{NAME}", (), ""),
        (f"#define MORE\n#ifdef MORE\n{NAME}\n#endif", (), ""),
        (f"#ifdef __CUDA_ARCH__\n{NAME}\n#endif", (), ""),
    ],
)
def test_macros_that_nobody_gave_are_named(library: str, defines: tuple[str, ...], named: str, tmp_path: Path) -> None:
    ports = convert(tmp_path, library, {"a.cu": MAIN.format(before="", body="p[0] = 1;", host="")}, defines)
    notes = [note for note in ports["a.cu"].notes if note.startswith("no -D")]
    assert len(notes) == bool(named) and all(set(named.split()) <= set(note.replace(",", "").split()) for note in notes)


def test_conditions_of_the_unit_itself_are_decided(tmp_path: Path) -> None:
    assert compiled("", tmp_path, ("GIVEN",), f"#ifdef MORE\n{NAME}\n#endif\n") == [False]


def test_a_file_that_a_unit_reads_twice_is_not_decided(tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text(f"#ifdef MORE\n{NAME}\n#endif\n")
    main = '#include "part.inc"\n#define MORE\n#include "part.inc"\n'
    (tmp_path / "lib").mkdir()
    (tmp_path / "a.cu").write_text(MAIN.replace("#include <lib.cuh>\n", "").format(before=main, body="", host=""))
    conversion = Conversion(Options(defines=("GIVEN",)))
    todo = plan([tmp_path / "a.cu"], tmp_path / "out", False, conversion, out_is_folder=True)
    sites = [f for port in run_jobs(todo.jobs, conversion, 1) for f in port.findings if f.safety is Safety.LEFT]
    assert sites and all(site.compiled for site in sites)


def test_a_parse_with_errors_knows_nothing(tmp_path: Path) -> None:
    assert site(WAIT, tmp_path, "unknown_thing(p);").needs_person


def test_branches_count_where_the_parser_makes_no_instances(tmp_path: Path) -> None:
    """It stops where a class template lacks `template`, which the port has."""
    library = f"""struct op {{ static constexpr bool waits = true; }};
    template <class U> __device__ void step() {{ if constexpr (U::waits) {{ {LEFT} }} }}
    template <class T> struct by {{ template <class U> struct run {{ __device__ static void now() {{ step<U>(); }} }}; }};
    template <template <class> class F, class... U> struct all {{ __device__ static void now() {{ (F<U>::now(), ...); }} }};
    template <class T, class... U> __device__ void loop() {{ all<by<T>::run, U...>::now(); }}
    """
    assert site(library, tmp_path, "loop<int, op>();").needs_person


def test_what_would_not_compile_counts(tmp_path: Path) -> None:
    library = "__device__ inline int wait() { return cudaNoSuchThing(1); }"
    assert site(library, tmp_path).needs_person


def test_headers_of_the_input_count(tmp_path: Path) -> None:
    (tmp_path / "lib.cuh").write_text(f"#pragma once\n{WAIT}\n")
    (tmp_path / "a.cu").write_text(MAIN.format(before="", body="", host=""))
    conversion = Conversion(Options(includes=(str(tmp_path),)))
    todo = plan([tmp_path], tmp_path.parent / f"{tmp_path.name}-out", False, conversion, out_is_folder=True)
    ports = run_jobs(todo.jobs, conversion, 1)
    assert any(f.needs_person for port in ports for f in port.findings if f.safety is Safety.LEFT)


def built(folder: Path, library: str, mains: dict[str, str], compiled: tuple[str, ...] = ()) -> Finding:
    """The library's site after --build, of the units with these names, or of all."""
    conversion, todo, ports = convert_all(folder, library, mains)
    write_ports(todo.jobs, ports, "copy", todo.runtime_dirs)
    jobs = tuple(job for job in todo.jobs if not compiled or job.path.name in compiled or job.users)
    kept = [port for job, port in zip(todo.jobs, ports, strict=True) if job in jobs]
    after = with_build(replace(todo, jobs=jobs), kept, conversion, {}, 1)
    by_name = {Path(port.path).name: port for port in after}
    (left,) = [f for f in by_name["lib.cuh"].findings if f.safety is Safety.LEFT]
    return left


OPERATOR = f"struct A {{ __device__ A operator+(A) const {{ {LEFT} return *this; }} }};"
VIRTUAL = (
    f"struct A {{ __device__ virtual void step() {{ {LEFT} }} }};"
    "struct B : A { __device__ void step() override {} };"
)
needs_compiler = pytest.mark.skipif(
    not find_toolchain().complete, reason=f"NOT RUN: no HIP compiler; {find_toolchain().fix}"
)


@needs_compiler
@pytest.mark.parametrize(
    ("library", "reached", "unreached"),
    [
        (OPERATOR, "A a; a = a + a;", "A a; (void)a;"),
        (f"template <class T> struct A {{ __device__ A() {{ {LEFT} }} }};", "A<int> a;", "p[0] = sizeof(A<int>);"),
        (f"{WAIT}\n#define STEP(f) f()", "STEP(wait);", "if (false) STEP(wait);"),
        (f"{WAIT}\nusing F = void (*)(); __device__ F table[] = {{ &wait }};", "table[p[0]]();", None),
        (VIRTUAL, "A a; A *b = &a; b->step();", "B a; a.step();"),
        (f"#define FUNCTION(n) struct n##_tag {{ }}; __device__ inline void n()\nFUNCTION(wait) {{ {LEFT} }}", "wait();", "p[0] = 1;"),
    ],
)  # fmt: skip
@pytest.mark.sample(2)
def test_the_compiler_tells_what_nothing_reaches(
    library: str, reached: str, unreached: str | None, tmp_path: Path
) -> None:
    """A call that cannot be ported stops the compiler wherever it is reached."""
    for name, body in (("yes", reached), ("no", unreached)):
        if body is not None:
            (tmp_path / name).mkdir()
            main = {"a.cu": MAIN.format(before="", body=body, host="")}
            assert built(tmp_path / name, library, main).needs_person == (name == "yes"), body


@needs_compiler
def test_a_unit_that_was_not_compiled_may_reach_it(tmp_path: Path) -> None:
    one = MAIN.format(before="", body="A a; (void)a;", host="")
    mains = {"a.cu": one, "b.cu": one.replace("f(", "g(").replace(" k", " j")}
    for folder, compiled in ((tmp_path / "both", ()), (tmp_path / "one", ("a.cu",))):
        folder.mkdir()
        assert built(folder, OPERATOR, mains, compiled).needs_person == bool(compiled)


@pytest.mark.parametrize(("defines", "expected"), [((), [False, True]), (("MORE",), [True, True])])
def test_the_macros_of_the_makefile_beside_a_source_decide(
    defines: tuple[str, ...], expected: list[bool], tmp_path: Path
) -> None:
    """Where the user gives none; its folders for headers and its standard come along."""
    (tmp_path / "Makefile").write_text("a: a.cu\n\tnvcc -std=c++20 -I$(CURDIR)/own -DGIVEN=2 -DNDEBUG a.cu\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own/own.h").write_text("#pragma once\ntemplate <class T> concept any = true;\n")
    library = f"#ifdef MORE\n{NAME}\n#endif\n#if GIVEN == 2 || defined(MORE)\n{NAME}\n#endif"
    port = convert(tmp_path, library, {"a.cu": MAIN.format(before="#include <own.h>\n", body="", host="")}, defines)
    assert [f.compiled for f in port["lib.cuh"].findings if f.safety is Safety.LEFT] == expected
