"""Writes pypi-versions.tsv and pypi-files.tsv with the answers of `packaging` (pip install packaging)."""

import itertools
import random
from pathlib import Path

from packaging.utils import (
    InvalidName,
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version

HERE = Path(__file__).parent
RANDOM = random.Random(440)


def spelling():
    pick = RANDOM.choice
    number = lambda: pick(["", "0", "1", "2", "10", "01"])
    separator = lambda: pick(["", "", ".", "-", "_"])
    text = pick(["", "", "", "v", "V"]) + pick(["", "", "", "0!", "1!"])
    text += ".".join(pick(["0", "1", "2", "10", "00", "2026"]) for _ in range(pick([1, 2, 2, 3, 4])))
    if RANDOM.random() < 0.4:
        text += separator() + pick(["a", "b", "c", "rc", "alpha", "beta", "pre", "preview", "RC", "Alpha"]) + separator() + number()
    if RANDOM.random() < 0.3:
        text += pick([separator() + pick(["post", "rev", "r", "POST"]) + separator() + number(), "-1", "-03"])
    if RANDOM.random() < 0.3:
        text += separator() + pick(["dev", "DEV"]) + separator() + number()
    if RANDOM.random() < 0.2:
        text += "+" + pick([".", "-", "_"]).join(pick(["cpu", "1", "01", "ubuntu", "10", "A1"]) for _ in range(pick([1, 2, 3])))
    if RANDOM.random() < 0.15:
        place = RANDOM.randrange(len(text) + 1)
        text = text[:place] + pick(["x", "..", "/", "!", "+", "-", "*", "a"]) + text[place:]
    return text


def versions():
    valid, invalid = [], []
    for text in sorted({spelling() for _ in range(2200)}):
        try:
            valid.append((Version(text), text))
        except InvalidVersion:
            invalid.append(text)
    valid.sort(key=lambda pair: pair[0])
    before = None
    for version, text in valid:
        sign = "=" if version == before else "<"
        before = version
        yield f"{sign}\t{text}\t{version}\t{int(version.is_prerelease)}"
    for text in invalid:
        yield f"!\t{text}\t\t"


def ask(name):
    build = tags = ""
    if name.endswith(".whl"):
        project, version, build_tag, _ = parse_wheel_filename(name)
        build = "".join(map(str, build_tag))
        tags = "-".join(name[:-4].split("-")[-3:])
    else:
        project, version = parse_sdist_filename(name)
    spelled = name.split("-")[0] if name.endswith(".whl") else name.rpartition("-")[0]
    canonicalize_name(spelled, validate=True)
    return f"{name}\t{project}\t{version}\t{build}\t{tags}"


def files():
    projects = ["hello", "Hello_Pkg", "a.b", "A", "x1__y", "zope.interface", "a-b", "", "_a", "ä"]
    numbers = ["1.0", "1.0rc1", "1!2.0", "1.0+cpu", "1.0_1", "01", "x", "1.0.post1", ""]
    ends = ["-py3-none-any.whl", "-cp39.cp310-abi3-linux_x86_64.whl", "-1-py2.py3-none-any.whl", "-2a-py3-none-any.whl",
            "-x-py3-none-any.whl", "-py3-none.whl", ".tar.gz", ".zip", ".exe", ".tar.bz2"]
    for parts in itertools.product(projects, numbers, ends):
        name = f"{parts[0]}-{parts[1]}{parts[2]}"
        try:
            yield ask(name)
        except (InvalidName, InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
            yield name


HERE.joinpath("pypi-versions.tsv").write_text("".join(line + "\n" for line in versions()))
HERE.joinpath("pypi-files.tsv").write_text("".join(line + "\n" for line in files()))
