"""Speeds from work and time. Each number here was worked out by hand: a factor off by 1,000 fails."""

from __future__ import annotations

import pytest

from porter.harness.timing.throughput import (
    Share,
    gigabytes_per_second,
    last_level_cache,
    milliseconds,
    peak_of,
    share,
    teraflops,
)


@pytest.mark.parametrize(
    ("flops", "ms", "wanted"),
    [
        (2 * 4096**3, 0.2, 687.19),  # 137.44e9 operations in 0.2e-3 s are 687.19e12 a second
        (2 * 8192**3, 1.4, 785.37),  # 1.0995e12 in 1.4e-3 s
        (1e12, 1000.0, 1.0),  # one TFLOP in one second
        (5e9, 5.0, 1.0),
    ],
)
def test_teraflops(flops: float, ms: float, wanted: float) -> None:
    assert teraflops(flops, ms) == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize(
    ("size", "ms", "wanted"),
    [
        (2e9, 0.5, 4000.0),  # 2 GB in 0.5e-3 s are 4 TB/s
        (2 * 2**30, 0.4995, 4299.3),  # a copy of 1 GiB, read and written
        (1e9, 1000.0, 1.0),
    ],
)
def test_gigabytes(size: float, ms: float, wanted: float) -> None:
    assert gigabytes_per_second(size, ms) == pytest.approx(wanted, rel=1e-4)


def test_no_time_is_no_speed() -> None:
    assert teraflops(1e12, 0.0) == 0.0
    assert gigabytes_per_second(1e9, 0.0) == 0.0


def test_times_carry_their_unit() -> None:
    assert [milliseconds(ms) for ms in (0.00456, 0.0123, 0.4567, 12.3, 1234.5)] == [
        "4.56 us", "12.3 us", "0.457 ms", "12.3 ms", "1.23 s",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("device", "name", "bf16", "gbs", "cache"),
    [
        ("AMD Instinct MI300X", "MI300X", 1307.4, 5300, 256 << 20),
        ("AMD Instinct MI300A", "MI300A", 980.6, 5300, 256 << 20),
        ("AMD Instinct MI325X OAM", "MI325X", 1307.4, 6000, 256 << 20),
        ("NVIDIA H200", "H200", 989.4, 4800, 60 << 20),
        ("NVIDIA H200 NVL", "H200 NVL", 835.5, 4800, 60 << 20),
        ("NVIDIA H100 80GB HBM3", "H100", 989.4, 3350, 50 << 20),
        ("NVIDIA H100 PCIe", "H100 PCIe", 756.0, 2000, 50 << 20),
    ],
)
def test_peaks(device: str, name: str, bf16: float, gbs: float, cache: int) -> None:
    peak = peak_of(device)
    assert peak is not None
    assert (peak.name, peak.tflops["bfloat16"], peak.gbs, peak.cache) == (name, bf16, gbs, cache)
    assert peak.tflops["float8_e4m3fn"] == pytest.approx(2 * bf16, rel=1e-3)
    assert peak.source


def test_mi300x_peak_follows_from_its_units() -> None:
    peak = peak_of("MI300X")
    assert peak is not None
    assert peak.tflops["bfloat16"] == pytest.approx(304 * 2048 * 2.1e9 / 1e12, rel=1e-3)  # CUs, FLOP/clock, clock


def test_unknown_device_has_no_peak() -> None:
    assert peak_of("NVIDIA GeForce RTX 4090") is None


def test_last_level_of_cache() -> None:
    assert last_level_cache("AMD Instinct MI300X", 4 << 20) == 256 << 20  # torch tells the L2 of one die
    assert last_level_cache("NVIDIA H200", 60 << 20) == 60 << 20
    assert last_level_cache("something", 72 << 20) == 72 << 20
    assert last_level_cache("something", 0) == 256 << 20


def test_share_is_of_the_nearer_limit() -> None:
    peak = peak_of("NVIDIA H200")
    assert peak is not None
    product = share(2 * 4096**3, 3 * 2 * 4096**2, 0.2, "bfloat16", peak.tflops, peak.gbs)
    assert product == Share("bfloat16", pytest.approx(0.6946, rel=1e-3))  # 687.19 of 989.4
    sums = share(1e6, 2e9, 0.5, "bfloat16", peak.tflops, peak.gbs)
    assert sums == Share("memory", pytest.approx(0.8333, rel=1e-3))  # 4,000 of 4,800
    assert share(0, 0, 0.5, "bfloat16", peak.tflops, peak.gbs) is None
    assert share(1e12, 0, 1.0, "int8", peak.tflops, peak.gbs) is None
