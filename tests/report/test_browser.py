"""The HTML report in a browser: nothing is wider than a narrow window, links lead to sites, code scrolls."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from porting import port

from porter.findings import PortReport
from porter.report import FORMATS
from porter.report.facts.summary import summarize
from porter.report.formats.rule_pages import rule_texts
from porter.rules import load_rules

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
SOURCE = """__global__ void __launch_bounds__(256, 4) a_kernel_with_a_rather_long_name(float *x, unsigned *y, int n, int m, int k) {
  asm volatile("{\\n\\t.reg .pred p;\\n\\tsetp.ne.b32 p, %0, 0;\\n\\t@p st.global.u32 [%1], %2;\\n\\t}" :: "r"(y[0]), "l"(y + 3), "r"(y[1]));
  cudaFrobnicate(LONG); x[0] = __any_sync(~0u, x[1]);
}
void f(float *x, unsigned *y) { a_kernel_with_a_rather_long_name<<<132, 256>>>(x, y, 1, 2, 3); }
""".replace("LONG", ", ".join(f"argument_{i}" for i in range(80)))
# Scripts have no place in the report, so it is looked at from a page around it.
AROUND = """<!DOCTYPE html><body><iframe src="report.html" style="width:WIDTHpx;height:900px;border:0"></iframe><script>
onload = () => {
  const frame = document.querySelector('iframe'), page = frame.contentDocument;
  const inside = [...page.querySelectorAll('article, h1, h2, fieldset, .headline, .legend, .soft')].filter(e => e.offsetParent);
  const found = {
    width: page.documentElement.clientWidth, content: page.documentElement.scrollWidth,
    beyond: inside.filter(e => e.getBoundingClientRect().right > page.documentElement.clientWidth + 1).map(e => e.className),
    scrolling: [...page.querySelectorAll('.sides pre')].filter(e => e.scrollWidth > e.clientWidth + 1
      && frame.contentWindow.getComputedStyle(e).overflowX == 'auto').length,
    marks: page.querySelectorAll('.sides del').length, sites: page.querySelectorAll('article').length,
  };
  const folded = page.querySelector('details:not([open]) article');
  page.querySelector(`a[href="#${folded.id}"]`).click();
  setTimeout(() => {
    found.target = page.querySelector(':target') === folded;
    page.querySelector('#show-left').click();
    found.left = [...page.querySelectorAll('main article.left')].filter(e => e.offsetParent).length;
    document.body.textContent = 'FOUND' + JSON.stringify(found) + 'END';
  }, 100);
};
</script></body>"""


def seen(folder: Path, width: int) -> dict[str, Any]:
    """What the browser makes of the report in a window of that width."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip(f"NOT RUN: none of {', '.join(BROWSERS)} is installed")
    long = folder / "a_folder_with_a_name_that_takes_more_than_a_line" / "and_another_one_below_it"
    long.mkdir(parents=True)
    report = PortReport((port(SOURCE, long),))
    (folder / "report.html").write_text(FORMATS[".html"](summarize(report, rule_texts(load_rules().rules))), "utf-8")
    (folder / "around.html").write_text(AROUND.replace("WIDTH", str(width)))
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        "--window-size=1400,1000",
    ]
    options += ["--virtual-time-budget=5000", f"--user-data-dir={folder / 'profile'}", "--dump-dom"]
    run = subprocess.run([browser, *options, (folder / "around.html").as_uri()], capture_output=True, timeout=120)
    text = re.search("FOUND(.*)END", run.stdout.decode("utf-8", "replace"))
    assert text, run.stderr.decode("utf-8", "replace")[-2000:]
    return dict(json.loads(unescape(text[1])))


@pytest.mark.parametrize("width", [400, 1200])
def test_the_report_in_a_browser(width: int, tmp_path: Path) -> None:
    measured = seen(tmp_path, width)
    assert measured["content"] <= measured["width"] <= width
    assert measured["beyond"] == []
    assert measured["scrolling"] >= 2  # the long line of both sides
    assert measured["marks"] >= 1 and measured["sites"] >= 5
    assert measured["target"] is True and measured["left"] == 0
