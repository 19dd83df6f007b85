"""The pages of the rules: what they say, that their links lead somewhere, and that reports link to them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from porting import port
from rich.console import Console

from porter.findings import PortReport, Safety
from porter.ptx.table import ptx_table
from porter.report import FORMATS, print_terminal
from porter.report.facts.summary import summarize
from porter.report.formats.rule_pages import INDEX, SAFETY_MEANING, own_pages, rule_pages, rule_texts
from porter.rules import load_rules

RULES = load_rules()
PAGES = rule_pages(RULES.rules, ptx_table(RULES))
BASE = "https://example.org/porter/rules"


def test_every_rule_has_a_page_and_is_in_the_index_and_links_lead_to_pages() -> None:
    assert set(PAGES) == {INDEX, *(f"{rule}.md" for rule in RULES.rules)}
    assert set(re.findall(r"^\| \[([\w-]+)\]", PAGES[INDEX], re.M)) == set(RULES.rules)
    for name, text in PAGES.items():
        prose = re.sub(r"`+[^`]*`+", "", text)
        for target in re.findall(r"\]\(([^)]+)\)", prose):
            assert target in PAGES, (name, target)


def test_a_page_says_why_what_to_do_and_shows_examples() -> None:
    rule = RULES.rules["launch-bounds"]
    text = PAGES["launch-bounds.md"]
    assert "# launch-bounds: `__launch_bounds__` with" in text and "\\_" not in text
    assert rule.fix.split()[0] in text and f"**{rule.safety.value}** ({SAFETY_MEANING[rule.safety]})" in text
    for example in (*rule.examples, *rule.unchanged):
        assert example.before.strip("\n") in text and example.after.strip("\n") in text
    assert set(SAFETY_MEANING) == set(Safety)


def test_tables_have_every_name_and_form_that_is_not_exact() -> None:
    text = PAGES["name-bf16.md"]
    for row in RULES.rules["name-bf16"].rows:
        assert (f"`{row.cuda}`" in text) == (row.safety is not Safety.EXACT)
    forms = PAGES["inline-ptx.md"]
    assert "cp.reduce.async.bulk" in forms and forms.count("| left |") > 5


SOURCE = "__global__ void k(int *x) { x[0] = __any_sync(~0u, x[1]); cudaFrobnicate(); }\n"


@pytest.mark.parametrize("base", [BASE, f"{BASE}/", ""])
def test_reports_link_rules_where_there_is_an_address(base: str, tmp_path: Path) -> None:
    report = PortReport((port(SOURCE, tmp_path),))
    summary = summarize(report, rule_texts(RULES.rules, base))
    page = f"{BASE}/warp-vote.md"
    assert (f"[`warp-vote`]({page})" in FORMATS[".md"](summary)) == bool(base)
    assert (f'<a href="{page}"><code>warp-vote</code></a>' in FORMATS[".html"](summary)) == bool(base)
    (run,) = json.loads(FORMATS[".sarif"](summary))["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["unknown-name"].get("helpUri") == (f"{BASE}/unknown-name.md" if base else None)
    assert rules["unknown-name"]["help"]["markdown"].startswith("# unknown-name: ")


def test_porters_own_pages_are_kept_in_the_cache_and_written_anew_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.report.formats.rule_pages.cache_dir", lambda: tmp_path)
    folder = tmp_path / "rule-pages"
    assert own_pages() == folder.as_uri()
    assert {name: (folder / name).read_text("utf-8") for name in PAGES} == PAGES
    for version, text in (("as it is", "changed"), ("older", PAGES[INDEX])):
        (folder / INDEX).write_text("changed", "utf-8")
        if version == "older":
            (folder / "version").write_text(version)
        assert own_pages() == folder.as_uri() and (folder / INDEX).read_text("utf-8") == text
    monkeypatch.setattr("porter.report.formats.rule_pages.cache_dir", lambda: tmp_path / "absent" / "folder")
    assert own_pages() == ""


def test_a_terminal_gets_links_and_a_file_does_not(tmp_path: Path) -> None:
    report = PortReport((port(SOURCE, tmp_path),))
    address = own_pages()
    texts = rule_texts(RULES.rules, address)
    for terminal in (True, False):
        out = io.StringIO()
        print_terminal(report, texts, Console(file=out, width=200, force_terminal=terminal))
        assert (f";{address}/warp-vote.md\x1b\\warp-vote\x1b]8;;" in out.getvalue()) == terminal
        assert ("warp-vote]" in out.getvalue()) != terminal


def test_a_rule_of_the_users_own_has_no_page_of_porters(tmp_path: Path) -> None:
    (tmp_path / "ours.tbl").write_text("@rule name-ours\n@library ours\nourCuda ourHip func exact\n")
    texts = rule_texts(load_rules((tmp_path,)).rules, BASE)
    assert texts["name-ours"].url == "" and texts["warp-vote"].url == f"{BASE}/warp-vote.md"
