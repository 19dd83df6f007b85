"""Attention is recognised by what a kernel does; what is nearly attention is not, and the reason is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_recognise import native, reason, written

ROOT = Path(__file__).resolve().parent.parent.parent
FLASH = ROOT / "reference_kernels" / "flash_attention_fwd" / "flash_attention_fwd.cu"
# One instantiation in place of four.
ONE = (
    "const auto function = dim == 64 ? (causal ? launch<64, true> : launch<64, false>)\n"
    "                                  : (causal ? launch<128, true> : launch<128, false>);",
    "const auto function = launch<64, true>;",
)
SMALL = ("constexpr int kBlockKv = 64;", "constexpr int kBlockKv = 32;")


def test_where_heads_lie_and_what_is_summed(tmp_path: Path) -> None:
    port = native(FLASH, tmp_path, ONE, SMALL)
    assert "attention computes out = softmax(scale q k^T) v in bf16, each query with the keys up to its own" in written(
        port
    )
    for text in (
        "static constexpr int kHead = 64;",
        "static constexpr bool kMasked = true;",
        "k + int64_t(z) * kv_heads * seq * 64 + int64_t(y / (heads / kv_heads)) * seq * 64, 64,",
        "(lse + int64_t(z) * heads * seq + int64_t(y) * seq)[row] = log2_sum * 0.6931472f;",
        "<<<attention_native::grid(seq, dim3(grid)), attention_native::kThreads, 0, stream>>>",
    ):
        assert text in port.port
    for gone in ("ldmatrix", "copy_async", "row_max", "kStages"):
        assert gone not in port.port


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("kCausal && column > row)", "kCausal && column > row + 1)"), "rows that see other keys than all"),
        (("sum[d][i] *= shrink[i / 2];", "sum[d][i] *= 1.0f;"), "a weight that is not 2^(scale q k)"),
        (("const float inverse = 1.0f / whole;", "const float inverse = 2.0f / whole;"), "no mean of values by weights"),
        (("score[j][i] = exp2f((score[j][i] - highest) * log2_scale);",
          "score[j][i] = exp2f((score[j][i] - highest) * (j ? log2_scale : 1.0f));"), ""),
        (("lse[row] = top[half] * scale + logf(whole);", "lse[row] = top[half] + logf(whole);"), ""),
    ],
)  # fmt: skip
def test_what_is_nearly_attention(change: tuple[str, str], told: str, tmp_path: Path) -> None:
    port = native(FLASH, tmp_path, ONE, SMALL, change)
    assert told in reason(port)
    assert "porter::attention" not in port.port


def test_what_is_stored_twice_is_not_lost(tmp_path: Path) -> None:
    changes = (
        ("float* __restrict__ lse, int heads,", "float* __restrict__ lse, float* __restrict__ again, int heads,"),
        ("if (lane % 4 == 0) lse[row] = ", "if (lane % 4 == 0) again[row] = lse[row] = "),
        ("(q, k, v, out, lse, heads, kv_heads, seq, scale);", "(q, k, v, out, lse, lse, heads, kv_heads, seq, scale);"),
    )
    assert "results that go to several places" in reason(native(FLASH, tmp_path, ONE, SMALL, *changes))


def test_a_grid_of_one_number_has_no_room_for_heads(tmp_path: Path) -> None:
    """Blocks of all heads along x, and a launch that a function makes of a number of blocks: the new grid has heads along y."""
    changes = (
        ("const int q0 = (gridDim.x - 1 - blockIdx.x) * kBlockQ;", "const int of_head = (seq + kBlockQ - 1) / kBlockQ;\n"
         "  const int q0 = int(blockIdx.x) % of_head * kBlockQ;"),
        ("static_cast<size_t>(blockIdx.z) * heads + blockIdx.y;", "blockIdx.x / of_head;"),
        ("static_cast<size_t>(blockIdx.z) * kv_heads + blockIdx.y / (heads / kv_heads);", "blockIdx.x / of_head;"),
        ("template <int kDim, bool kCausal>\ncudaError_t launch(",
         "template <class K, class... A>\nvoid start(K kernel, int blocks, int bytes, cudaStream_t stream, A... a) {\n"
         "  kernel<<<blocks, kThreads, bytes, stream>>>(a...);\n}\n\n"
         "template <int kDim, bool kCausal>\ncudaError_t launch("),
        ("const dim3 grid((seq + kBlockQ - 1) / kBlockQ, heads, batch);",
         "const int grid = (seq + kBlockQ - 1) / kBlockQ * heads * batch;"),
        ("attention<kDim, kCausal>\n      <<<grid, kThreads, kSharedBytes<kDim>, stream>>>(",
         "start(attention<kDim, kCausal>, grid, kSharedBytes<kDim>, stream, "),
    )  # fmt: skip
    assert "a grid of one number" in reason(native(FLASH, tmp_path, ONE, SMALL, *changes))
