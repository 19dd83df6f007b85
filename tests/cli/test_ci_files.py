"""action.yml and .pre-commit-hooks.yaml: their steps are run as the services that read them would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from test_convert_build import BROKEN, HEADER, KERNEL, files_of

from porter.report.facts.baseline import SCHEMA

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


@pytest.fixture
def environment(tmp_path: Path, cache: Path) -> dict[str, str]:
    """What a runner sets, with a porter on the PATH that is this checkout's."""
    runner = tmp_path / "runner"
    (runner / "bin").mkdir(parents=True)
    program = runner / "bin/porter"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m porter "$@"\n')
    program.chmod(0o755)
    own = {name: value for name, value in os.environ.items() if name not in ("PORTER_DEBUG", "FORCE_COLOR")}
    return own | {
        "PATH": f"{runner / 'bin'}{os.pathsep}{os.environ['PATH']}", "PORTER_CACHE": str(cache),
        "RUNNER_TEMP": str(runner), "GITHUB_OUTPUT": str(runner / "output"), "GITHUB_PATH": str(runner / "path"),
        "GITHUB_ACTION_PATH": str(ROOT),
    }  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    (folder / "a b.cu").write_text(KERNEL)
    return folder


def step(name: str, folder: Path, environment: dict[str, str], **inputs: str) -> subprocess.CompletedProcess[str]:
    """A step as GitHub runs it: bash -e, the inputs in place of their expressions."""
    values = {key: str(one.get("default", "")) for key, one in ACTION["inputs"].items()} | inputs

    def filled(text: str) -> str:
        return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: values[match[1]], text)

    own = {key: filled(text) for key, text in STEPS[name].get("env", {}).items()}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]]
    return subprocess.run(command, cwd=folder, env=environment | own, capture_output=True, text=True, check=False)


def hook(name: str, folder: Path, environment: dict[str, str], *files: str) -> subprocess.CompletedProcess[str]:
    """A hook as pre-commit runs it: entry, args, names of files."""
    command = [*HOOKS[name]["entry"].split(), *HOOKS[name]["args"], *files]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_action_passes_a_port_that_compiles(repository: Path, environment: dict[str, str]) -> None:
    before = files_of(repository)
    done = step("Check the port", repository, environment)
    assert done.returncode == 0 and "compiles." in done.stdout, done.stdout + done.stderr
    assert Path(environment["GITHUB_OUTPUT"]).read_text() == "sarif=porter.sarif\n"
    assert json.loads((repository / "porter.sarif").read_text())["runs"][0]["results"] == []
    (repository / "porter.sarif").unlink()
    assert files_of(repository) == before


@pytest.mark.slow
def test_the_action_tells_errors_and_still_has_its_report(repository: Path, environment: dict[str, str]) -> None:
    (repository / "b.cu").write_text(BROKEN)
    (repository / "h.cuh").write_text(HEADER)
    done = step("Check the port", repository, environment, sarif="out.sarif", paths="a b.cu\nb.cu\n")
    assert done.returncode == 1 and "::error file=" in done.stdout, done.stdout + done.stderr
    results = json.loads((repository / "out.sarif").read_text())["runs"][0]["results"]
    assert "does-not-compile" in {result["ruleId"] for result in results}
    assert Path(environment["GITHUB_OUTPUT"]).read_text() == "sarif=out.sarif\n"
    assert step("Check the port", repository, environment, build="false", paths="b.cu").returncode == 0
    accepted = step("Check the port", repository, environment, options="--ignore\ndoes-not-compile\n")
    assert accepted.returncode == 0


def test_inputs_of_the_action_are_no_code(repository: Path, environment: dict[str, str]) -> None:
    done = step("Check the port", repository, environment, paths="$(touch made)", build="false")
    assert done.returncode == 2 and not (repository / "made").exists()
    assert "${{" not in STEPS["Check the port"]["run"] and "${{" not in STEPS["Install porter"]["run"]


def test_the_action_installs_the_checkout(repository: Path, environment: dict[str, str]) -> None:
    """With a stand-in for python3, whose pip writes down what it was told."""
    program = Path(environment["RUNNER_TEMP"], "bin/python3")
    program.write_text(
        '#!/bin/sh\nmkdir -p "$3/bin"\nprintf \'#!/bin/sh\\necho "$@"\\n\' > "$3/bin/pip"\nchmod +x "$3/bin/pip"\n'
    )
    program.chmod(0o755)
    done = step("Install porter", repository, environment)
    assert done.returncode == 0, done.stderr
    told = done.stdout.split()
    assert told[-1] == f"{ROOT}[compiler]" and Path(told[told.index("-c") + 1]).is_file()
    assert Path(environment["GITHUB_PATH"]).read_text() == f"{environment['RUNNER_TEMP']}/porter/bin\n"


def test_the_report_goes_up_whatever_the_check_said() -> None:
    upload = STEPS["Upload what was found"]
    assert upload["uses"].startswith("github/codeql-action/upload-sarif@") and "always()" in upload["if"]
    assert upload["with"]["sarif_file"] == "${{ steps.check.outputs.sarif }}" == ACTION["outputs"]["sarif"]["value"]
    assert STEPS["Check the port"]["id"] == "check" and f'"schema": "{SCHEMA}"' in STEPS["Check the port"]["run"]


@pytest.mark.slow
def test_the_hooks_fail_on_new_sites_and_on_errors(repository: Path, environment: dict[str, str]) -> None:
    missing = hook("porter-check", repository, environment, "a b.cu")
    assert missing.returncode == 2 and "--update-baseline" in missing.stderr
    command = ["porter", "convert", ".", "--check", "--baseline", "porter-baseline.json", "--update-baseline"]
    subprocess.run(command, cwd=repository, env=environment, check=True, capture_output=True)
    before = files_of(repository)
    assert hook("porter-check", repository, environment, "a b.cu").returncode == 0
    assert hook("porter-build", repository, environment, "a b.cu").returncode == 0
    assert files_of(repository) == before
    (repository / "c.cu").write_text(KERNEL + "void f() { cudaFrobnicate(1); }\n")
    done = hook("porter-check", repository, environment, "a b.cu", "c.cu")
    assert done.returncode == 1 and "cudaFrobnicate" in done.stdout
    (repository / "c.cu").write_text(KERNEL.replace("= 1", "= one"))
    assert hook("porter-check", repository, environment, "c.cu").returncode == 0
    assert hook("porter-build", repository, environment, "c.cu").returncode == 1


def test_the_hooks_have_what_pre_commit_asks_for() -> None:
    names = {name.split(">")[0] for name in HOOKS["porter-build"]["additional_dependencies"]}
    text = (ROOT / "pyproject.toml").read_text()
    assert all(
        {"id", "name", "entry", "language"} <= hook.keys() and hook["language"] == "python" for hook in HOOKS.values()
    )
    assert names == set(re.findall(r'"(\w+)>=', re.search(r"^compiler = (.*)$", text, re.M)[1]))  # type: ignore[index]
    assert all(re.search(HOOKS["porter-check"]["files"], name) for name in ("a.cu", "b/c.cuh"))
