"""Writes conan-versions.tsv with the answers of `conan` (pip install conan): versions in order, `=` for one that equals
the version before it; the last column is 1 for prereleases. Conan compares a number with a text such as `1a` as texts, which is no
order: such texts are left out."""

import functools
import random
from pathlib import Path

from conan.internal.model.version import Version

RANDOM = random.Random(2)
pick = RANDOM.choice


def spelling():
    text = ".".join(pick(["0", "1", "2", "3", "10", "01", "a", "a", "rc", "b1", "2026"]) for _ in range(pick([1, 2, 2, 3, 3, 4])))
    if RANDOM.random() < 0.35:
        text += "-" + ".".join(pick(["alpha", "beta", "rc1", "pre", "1", "2", "10", "dev-1"]) for _ in range(pick([1, 1, 2])))
    if RANDOM.random() < 0.2:
        text += "+" + ".".join(pick(["1", "2", "b", "10", "git"]) for _ in range(pick([1, 2])))
    return text


def compare(left, right):
    return -1 if left < right else 1 if right < left else 0


versions = []
for text in sorted({spelling() for _ in range(2200)}):
    version = Version(text)
    versions.append((version, text))
versions.sort(key=functools.cmp_to_key(lambda a, b: compare(a[0], b[0])))
with open(Path(__file__).parent / "conan-versions.tsv", "w") as file:
    for at, (version, text) in enumerate(versions):
        mark = "=" if at and compare(versions[at - 1][0], version) == 0 else "<"
        print(mark, text, int(version.pre is not None), sep="\t", file=file)
