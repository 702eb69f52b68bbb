"""Reads arrays of the .vtu files that Bulwark writes (appended, zlib): the standard library serves, meshio is not needed."""
import re
import struct
import zlib

FORMATS = {"Float64": "d", "Int32": "i", "UInt8": "B"}


def read_arrays(path, names):
    """The flat arrays of these names."""
    data = path.read_bytes()
    begin = data.index(b"<AppendedData")
    header, begin = data[:begin].decode(), data.index(b"_", begin) + 1
    arrays = {}
    for kind, name, offset in re.findall(r'<DataArray type="(\w+)" Name="(\w+)"[^>]*offset="(\d+)"', header):
        if name not in names:
            continue
        place = begin + int(offset)
        blocks, size, last = struct.unpack_from("<3Q", data, place)
        lengths = struct.unpack_from(f"<{blocks}Q", data, place + 24)
        place += 24 + 8 * blocks
        raw = b""
        for length in lengths:
            raw += zlib.decompress(data[place:place + length])
            place += length
        arrays[name] = struct.unpack(f"<{len(raw) // struct.calcsize(FORMATS[kind])}{FORMATS[kind]}", raw)
    missing = set(names) - set(arrays)
    if missing:
        raise SystemExit(f"{path} has no array {', '.join(sorted(missing))}")
    return arrays
