"""What keeps a ThunderKittens unit from warps of 64 lanes, and how blocks count their threads."""

from __future__ import annotations

import pytest

from porter.analysis.kittens import View, included_at
from porter.frontend.lexer import lex
from porter.frontend.scopes import find_scopes

KERNEL = '#include "kittens.cuh"\nusing namespace kittens;\n__global__ void k(float *x) {{ {} }}\n'


def view(text: str) -> View:
    file = lex(text)
    return View(file, find_scopes(file))


@pytest.mark.parametrize(
    "body",
    [
        "if (laneid() == 0) warp::sync();",
        "if (warpgroup::laneid() == 0 && threadIdx.x == 0) warp::sync();",
        "for (int i = laneid(); i < 64; i += WARP_THREADS) x[i] = 0;",
        "x[blockIdx.x * blockDim.x + threadIdx.x] = warpid();",
        "auto lane = kittens::laneid(); if (lane == 0) warp::sync();",
        "rt_fl<16, 16> t; warp::neg_infty(reinterpret_cast<rt_fl<16, 16> &>(t.tiles[0][0]));",
        "init_semaphore(s, 1, 0);",
        "x[laneid()] = warpid();",
        "auto lane = laneid(); x[lane / 4] = warpid();",
        "int i = warpgroup::laneid(); for (int n = 1; n < 64; n *= 2) { x[i] += i < n ? 0 : 1; warpgroup::sync(1); }",
        "x[warpid()] = t.tiles[0][1].data[2].x;",
        "for (int k = 0; k < 4; ++k) t.tiles[0][1].data[k].x *= laneid() / 4 + k % 2 * 8;",
        "{ float f = laneid(); if (f > 3) t.tiles[0][0].data[1] = u.tiles[1][0].data[1]; else t.tiles[0][0].data[1].y = f; }",
    ],
)
def test_what_any_width_has(body: str) -> None:
    assert list(view(KERNEL.format(body)).obstacles()) == []


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("atomicAdd(&x[laneid() / 4], 1);", "atomicAdd would be called"),
        ("auto lane = laneid(); if (lane == 5) arrive(s);", "arrive would be called"),
        ("x[warpid() * WARP_THREADS + laneid()] = 0;", "WARP_THREADS counts"),
        ("int lane = laneid(); if (lane < 16) { warp::zero(t); }", "warps work together"),
        ("x[laneid() / 4] = v.data[0][0].x;", "which elements of a vector"),
        ("int lane = laneid(); struct s { int n; } one; switch (lane) { case 1: x[0] = 1; }", "lanes are counted"),
        ("for (int i = laneid(); i < 64; i += 32) warp::sync();", "lanes are counted"),
        ("x[threadIdx.x % 32] = warpid();", "threads are counted"),
        ("x[threadIdx.y] = warpid();", "threads of one row"),
        ("float sum = 0; for (int k = 0; k < 4; ++k) sum += t.tiles[0][1].data[k].x;", "which elements a lane holds"),
        ("t.tiles[0][1].data[0] = t.tiles[0][1].data[2];", "which elements a lane holds"),
        ("if (t.tiles[0][1].data[0].x > 0) warp::sync();", "which elements a lane holds"),
        ("int lane = laneid(); warp::sync(); t.tiles[0][1].data[0].x = lane;", "which elements a lane holds"),
        ("if (laneid() > 7) return; warp::sync(); t.tiles[0][1].data[0].x = 1;", "lanes leave"),
        (
            "bool first = laneid() == 0; warp::sync(); if (first) t.tiles[0][1].data[0].x = 1;",
            "which elements a lane holds",
        ),
        ("x[warpid()] = __shfl_sync(~0u, x[0], 0);", "32 lanes"),
        ('asm volatile("nop;"); warp::sync();', "assembly"),
        ("init_semaphore(s, 128);", "semaphore"),
        ("tma::cluster::sync();", "clusters"),
    ],
)
def test_what_means_cudas_warps(body: str, why: str) -> None:
    obstacles = list(view(KERNEL.format(body)).obstacles())
    assert any(why in obstacle.why for obstacle in obstacles), obstacles


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ("2 * WARP_THREADS", "wide"),
        ("THREADS", "wide"),
        ("(32 * 4)", "number"),
        ("NUMBER", "number"),
        ("block", "number"),
        ("2 * n", "unknown"),
    ],
)
def test_how_a_block_counts(block: str, kind: str) -> None:
    text = KERNEL.format("warp::sync();") + (
        "constexpr int THREADS = 4 * kittens::WARP_THREADS;\nconstexpr int NUMBER = 4 * 32;\n"
        f"void run(float *x, int n) {{ dim3 block(128, 1); k<<<1, {block}>>>(x); }}\n"
    )
    units = view(text)
    [(_, tokens)] = units.launches()
    assert units.kind(*tokens) == kind


@pytest.mark.parametrize(
    ("members", "kind"),
    [
        ("__host__ dim3 block() { return dim3(4 * WARP_THREADS); }", "wide"),
        ("dim3 block() const { return {THREADS, 1, 1}; }", "wide"),
        ("auto block() const noexcept -> dim3 { return dim3(NUMBER); }", "number"),
        ("static constexpr int threads() { return 128; } dim3 block() { return threads(); }", "number"),
        ("int n; dim3 block() { return dim3(n); }", "unknown"),
        ("dim3 block(); dim3 grid() { return dim3(128); }", "unknown"),
        ("dim3 block() { return 128; } }; struct other { dim3 block() { return THREADS; }", "unknown"),
    ],
)
def test_how_a_block_counts_that_a_function_returns(members: str, kind: str) -> None:
    text = KERNEL.format("warp::sync();") + (
        "constexpr int THREADS = 4 * kittens::WARP_THREADS;\nconstexpr int NUMBER = 4 * 32;\n"
        f"struct globals {{ float *x; {members} }};\nvoid run(globals g) {{ k<<<g.grid(), g.block()>>>(g.x); }}\n"
    )
    units = view(text)
    [(_, tokens)] = units.launches()
    assert units.kind(*tokens) == kind


def test_lanes_in_a_macro() -> None:
    obstacles = list(
        view("#define ROW (laneid() / 4)\n#define FIRST (laneid() == 0)\n" + KERNEL.format("x[ROW] = 0;")).obstacles()
    )
    assert [one.why for one in obstacles] == ["lanes are counted as CUDA's: in a macro, or outside of functions"]


def test_the_includes() -> None:
    assert len(included_at(lex('#include <a.h>\n#include "include/kittens.cuh"\n#include "prototype.cuh"\n'))) == 2
    assert not included_at(lex('#include "kittens.h"\n'))


def test_a_block_that_callers_give() -> None:
    """Another function of the file has a block of the same name."""
    units = view(
        KERNEL.format("warp::sync();")
        + "void launch(float *x, dim3 grid, dim3 block) { k<<<grid, block>>>(x); }\n"
        + "void run(float *x) { dim3 block(4 * WARP_THREADS); launch(x, dim3(1), block); }\n"
        + "void other(float *x) { dim3 block(16, 64); plain<<<1, block>>>(x); }\n"
        + "__global__ void plain(float *x) { x[threadIdx.y] = kittens::base_types::convertor<float, int>::convert(1); }\n"
    )
    [(_, tokens)] = units.launches()
    assert units.kind(*tokens) == "wide"
    assert not list(units.obstacles())
