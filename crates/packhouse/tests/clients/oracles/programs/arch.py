import ctypes.util
import sys

compare = ctypes.CDLL(ctypes.util.find_library("alpm")).alpm_pkg_vercmp
for line in sys.stdin:
    left, right = line.rstrip("\n").encode().split(b"\t")
    order = compare(left, right)
    print((order > 0) - (order < 0))
