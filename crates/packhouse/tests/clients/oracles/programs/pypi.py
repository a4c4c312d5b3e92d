import sys
from packaging.version import Version

for line in sys.stdin:
    left, right = (Version(text) for text in line.rstrip("\n").split("\t"))
    print((left > right) - (left < right))
