#!/usr/bin/env python3
"""Makes <format>-versions.txt: pairs of versions with their order, as the ecosystem's own tool sees it.

    versions.py <format> [how to call the tool ...]

debian  dpkg                                     rpm     rpm (4.17 or newer, with Lua)
arch    vercmp                                   alpine  a program that prints `apk version -t A B` for lines "A B"
conda   python -m with py-rattler installed      cran    Rscript
helm    node with the package semver

Each line is `A < B`, `A = B` or `A > B`. The random numbers have a fixed seed, so the pairs stay the same.
"""
import itertools
import os
import random
import subprocess
import sys

PAIRS = 2000
HERE = os.path.dirname(os.path.abspath(__file__))


def number(r):
    return r.choice(["0", "1", "2", "3", "9", "10", "11", "100", "00", "01", "010", "20240101"])


def dotted(r, most=4):
    return ".".join(number(r) for _ in range(r.randint(1, most)))


def debian(r):
    text = r.choice(["", "", "", "0:", "1:", "2:"]) + dotted(r)
    for _ in range(r.randint(0, 3)):
        text += r.choice(["~", "~~", "+", ".", "a", "b", "rc", "~rc", "+dfsg", "-", "+b", "z"]) + r.choice(["", number(r)])
    return text.rstrip("-.") + r.choice(["", "-1", "-0", "-1ubuntu1", "-1~bpo1", "-2"])


def rpm(r):
    text = r.choice(["", "", "", "0:", "1:", "2:"]) + dotted(r)
    for _ in range(r.randint(0, 3)):
        text += r.choice(["~", "^", "~~", "^^", ".", "a", "B", "rc", "~rc", "^git", "_", "+", "..", "z"]) + r.choice(["", number(r)])
    return text + r.choice(["", "-1", "-1.el9", "-2~pre", "-10^x"])


def arch(r):
    text = r.choice(["", "", "", "0:", "1:", "2:"]) + dotted(r)
    for _ in range(r.randint(0, 3)):
        text += r.choice([".", "a", "B", "rc", "_", "+", "..", "z", "pre", ".r"]) + r.choice(["", number(r)])
    return text + r.choice(["", "-1", "-1.1", "-2", "-10"])


def alpine(r):
    text = dotted(r) + r.choice(["", "", "a", "b", "z"])
    for _ in range(r.randint(0, 2)):
        text += "_" + r.choice(["alpha", "beta", "pre", "rc", "cvs", "svn", "git", "hg", "p"]) + r.choice(["", number(r)])
    return text + r.choice(["", "", "~abc", "~0f1"]) + r.choice(["", "-r0", "-r1", "-r10"])


def conda(r):
    text = r.choice(["", "", "", "0!", "1!", "2!"]) + dotted(r)
    for _ in range(r.randint(0, 2)):
        text += r.choice([".", "_", "a", "b", "rc", "dev", "post", ".dev", ".post", "_rc", "g", "z"]) + r.choice(["", number(r)])
    return text.rstrip("._") + r.choice(["", "", "+1", "+1.0", "+abc.1", "+0"])


def cran(r):
    return r.choice([".", "-"]).join(number(r) for _ in range(r.randint(2, 5)))


def helm(r):
    parts = [str(int(number(r))) for _ in range(3)]
    words = ["alpha", "beta", "rc", "1", "2", "10", "0", "x-y", "a1", "1a"]
    pre = r.choice(["", "-" + ".".join(r.choice(words) for _ in range(r.randint(1, 3)))])
    return r.choice(["", "", "v"]) + ".".join(parts) + pre + r.choice(["", "", "+build.1", "+1"])


def nearby(r, make, text):
    """Another version with the same beginning, so that the interesting part of the order decides."""
    other = make(r)
    cut = r.randint(0, len(text))
    mixed = text[:cut] + other[min(cut, len(other)):]
    return mixed


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def ask_dpkg(tool, pairs):
    def is_true(a, op, b):
        return subprocess.run([*tool, "--compare-versions", a, op, b], stderr=subprocess.DEVNULL).returncode == 0
    for a, b in pairs:
        yield "<" if is_true(a, "lt", b) else "=" if is_true(a, "eq", b) else ">"


def ask_rpm(tool, pairs):
    for batch in itertools.batched(pairs, 200) if hasattr(itertools, "batched") else [pairs[i:i + 200] for i in range(0, len(pairs), 200)]:
        lua = "".join(f'print(rpm.vercmp("{a}","{b}") .. "\\n") ' for a, b in batch)
        for line in run([*tool, "--eval", "%{lua: " + lua + "}"], "").split():
            yield {"-1": "<", "0": "=", "1": ">"}[line]


def ask_each(tool, pairs):
    for a, b in pairs:
        yield {"-1": "<", "0": "=", "1": ">"}[run([*tool, a, b], "").strip()]


def ask_lines(tool, pairs):
    answers = run(tool, "".join(f"{a} {b}\n" for a, b in pairs)).split("\n")
    yield from (answer for answer in answers if answer in ("<", "=", ">"))


RATTLER = """
import sys, rattler
for line in sys.stdin:
    a, b = (rattler.Version(text) for text in line.split())
    print("<" if a < b else "=" if a == b else ">")
"""
R_CODE = """
for (line in readLines(file("stdin"))) { p <- strsplit(line, " ")[[1]];
writeLines(c("<", "=", ">")[utils::compareVersion(p[1], p[2]) + 2]) }
"""
NODE = """
const semver = require('semver');
for (const line of require('fs').readFileSync(0, 'utf8').trim().split('\\n')) {
  const [a, b] = line.split(' '); console.log('<=>'[semver.compare(a, b) + 1]);
}
"""


def valid_conda(tool, texts):
    code = "import sys, rattler\nfor line in sys.stdin:\n    try:\n        rattler.Version(line.strip()); print('yes')\n    except Exception: print('no')\n"
    return [answer == "yes" for answer in run([*tool, "-c", code], "".join(t + "\n" for t in texts)).split()]


def main():
    name, tool = sys.argv[1], sys.argv[2:]
    make = globals()[name]
    r = random.Random(name)
    pairs = []
    while len(pairs) < PAIRS * 2:
        a = make(r)
        b = r.choice([make(r), nearby(r, make, a), nearby(r, make, a)])
        pairs.append((a, b))
    if name == "conda":
        tool = tool or [sys.executable]
        flat = valid_conda(tool, [text for pair in pairs for text in pair])
        pairs = [pair for at, pair in enumerate(pairs) if flat[2 * at] and flat[2 * at + 1]]
    if name in ("alpine", "cran", "helm"):
        import re
        grammar = {
            "alpine": r"\d+(\.\d+)*[a-z]?(_(alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*(~[0-9a-f]+)?(-r\d+)?",
            "cran": r"\d{1,9}([.-]\d{1,9})+",  # R has no larger integers
            "helm": r"v?(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?",
        }[name]
        pairs = [pair for pair in pairs if all(re.fullmatch(grammar, text) for text in pair)]
    if name == "debian":
        pairs = [pair for pair in pairs if all(not t.startswith(("-", ":")) and t[-1:] not in "-:" and t[:1].isdigit() for t in pair)]
    if name in ("rpm", "arch"):
        pairs = [pair for pair in pairs if all(t and t[-1] not in "-:" and t.count("-") < 2 for t in pair)]
    pairs = list(dict.fromkeys(pairs))[:PAIRS]
    ask = {
        "debian": lambda: ask_dpkg(tool or ["dpkg"], pairs),
        "rpm": lambda: ask_rpm(tool or ["rpm"], pairs),
        "arch": lambda: ask_each(tool or ["vercmp"], pairs),
        "alpine": lambda: ask_lines(tool, pairs),
        "conda": lambda: ask_lines([*tool, "-c", RATTLER], pairs),
        "cran": lambda: ask_lines([*(tool or ["Rscript"]), "-e", R_CODE.replace("\n", " ")], pairs),
        "helm": lambda: ask_lines([*(tool or ["node"]), "-e", NODE], pairs),
    }[name]
    path = os.path.join(HERE, f"{name}-versions.txt")
    with open(path, "w", encoding="utf-8") as file:
        for (a, b), order in zip(pairs, ask(), strict=True):
            file.write(f"{a} {order} {b}\n")


main()
