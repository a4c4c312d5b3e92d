#!/usr/bin/env python3
"""Makes <format>-versions.txt: versions and how the ecosystem's own tool compares each one with all that follow it.

    versions.py <format> <command that reads lines "A<tab>B" and writes -1, 0 or 1 for each>

The commands are those of the live tests (packhouse/tests/clients/oracles/programs), which compare other random pairs:
debian  perl debian.pl                           rpm     rpm --eval with Lua, as programs.rs has it
arch    python3 arch.py (libalpm)                cran    Rscript cran.R
conda   python conda.py (py-rattler)             helm    node npm.js node_modules/semver
alpine  a C program around apk_version_compare of apk-tools 3.0.6: no package source has apk itself

A line is a version and a sign (<, = or >) for each later version. The random numbers have a fixed seed, so the versions
stay the same. Most versions share the beginning of another one, so that the interesting part of the order decides.
"""
import os
import random
import re
import subprocess
import sys

SEEDS, VARIANTS = 10, 20
HERE = os.path.dirname(os.path.abspath(__file__))

GRAMMARS = {
    "alpine": r"\d+(\.\d+)*[a-z]?(_(alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*(~[0-9a-f]+)?(-r\d+)?",
    "cran": r"\d{1,9}([.-]\d{1,9})+",  # R has no larger integers
    "helm": r"v?(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?",
    "debian": r"(\d+:)?\d[^:]*",
    "rpm": r"[^-]+(-[^-]+)?",
    "arch": r"[^-]+(-[^-]+)?",
}


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


def is_valid(name, text):
    if name == "conda":
        try:
            import rattler
            rattler.Version(text)
        except Exception:
            return False
        return True
    return re.fullmatch(GRAMMARS[name], text) is not None and text[-1] not in "-:"


def versions(name):
    make, r, found = globals()[name], random.Random(name), []
    for seed in range(SEEDS):
        first = None
        while len(found) < (seed + 1) * VARIANTS:
            text = nearby(r, make, first) if first else make(r)
            if is_valid(name, text) and text not in found:
                first = first or text
                found.append(text)
    r.shuffle(found)
    return found


def main():
    name, command = sys.argv[1], sys.argv[2:]
    found = versions(name)
    pairs = [(left, right) for at, left in enumerate(found) for right in found[at + 1:]]
    lines = "".join(f"{left}\t{right}\n" for left, right in pairs)
    answers = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    assert len(answers) == len(pairs), f"{len(answers)} answers for {len(pairs)} pairs"
    signs = iter("<=>"[(int(answer) > 0) - (int(answer) < 0) + 1] for answer in answers)
    with open(os.path.join(HERE, f"{name}-versions.txt"), "w", encoding="utf-8") as file:
        for at, text in enumerate(found):
            file.write(f"{text} {''.join(next(signs) for _ in found[at + 1:])}".rstrip() + "\n")


main()
