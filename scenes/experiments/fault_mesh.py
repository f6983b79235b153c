#!/usr/bin/env python3
"""fault_mesh.py CELLS FOLDER: meshes of the two sides of the fault (docs/solids.md), fault-left.msh and fault-right.msh.

A rectangle of 20 km x 10 km, cut by a plane that dips by 45 degrees through its middle; CELLS from bottom to top along the fault and
5/6 as many across each side. The upper half of the height is the group "upper", the lower "lower".
"""
import sys


def build(cells, side):
    across = cells * 5 // 6
    nodes, triangles, lines = [], [], []
    for j in range(cells + 1):
        y = 10e3 * j / cells
        fault = 5e3 + y
        start, end = (0.0, fault) if side == "left" else (fault, 20e3)
        nodes += [(start + (end - start) * i / across, y) for i in range(across + 1)]
    at = lambda i, j: 1 + i + j * (across + 1)
    for j in range(cells):
        group = 6 if 2 * j < cells else 7
        for i in range(across):
            a, b, c, d = at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)
            cut = [(a, b, d), (b, c, d)]  # rows lean to the right as they rise: the shorter diagonal
            triangles += [(group, t) for t in cut]
        edge, inner = (across, 0) if side == "left" else (0, across)
        lines += [(1, (at(edge, j), at(edge, j + 1))), (2 if side == "left" else 3, (at(inner, j), at(inner, j + 1)))]
    lines += [(4, (at(i, 0), at(i + 1, 0))) for i in range(across)]
    lines += [(5, (at(i, cells), at(i + 1, cells))) for i in range(across)]
    return nodes, triangles, lines


def write(path, nodes, triangles, lines):
    names = [(1, 1, "fault"), (1, 2, "left"), (1, 3, "right"), (1, 4, "bottom"), (1, 5, "top"), (2, 6, "lower"), (2, 7, "upper")]
    used = {g for g, _ in triangles} | {g for g, _ in lines}
    names = [n for n in names if n[1] in used]
    with open(path, "w") as out:
        print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames", file=out)
        print(len(names), *(f'{d} {g} "{n}"' for d, g, n in names), sep="\n", file=out)
        print("$EndPhysicalNames\n$Nodes", file=out)
        print(len(nodes), *(f"{i} {x:.10g} {y:.10g} 0" for i, (x, y) in enumerate(nodes, 1)), sep="\n", file=out)
        print("$EndNodes\n$Elements", file=out)
        elements = [(1, g, n) for g, n in lines] + [(2, g, n) for g, n in triangles]
        print(len(elements), *(f"{i} {k} 2 {g} {g} {' '.join(map(str, n))}" for i, (k, g, n) in enumerate(elements, 1)), sep="\n", file=out)
        print("$EndElements", file=out)


if __name__ == "__main__":
    cells, folder = int(sys.argv[1]), sys.argv[2]
    for side in ("left", "right"):
        write(f"{folder}/fault-{side}.msh", *build(cells, side))
