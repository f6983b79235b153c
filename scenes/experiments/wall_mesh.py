#!/usr/bin/env python3
"""wall_mesh.py FOLDER: the mesh elastic-wall-solid.msh, the blocks of the scene elastic-wall joined at their nodes (docs/experiments.md).

Twelve courses of twelve blocks of 10 cm x 5 cm, every second course shifted by half a block, each block cut into eight triangles about
its middle: nodes of neighbours meet on a lattice of 5 cm x 2.5 cm.
"""
import sys

BRICKS, COURSES = 12, 12
ROUND = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]

numbers, triangles = {}, []
for course in range(COURSES):
    for brick in range(BRICKS):
        at = lambda point: numbers.setdefault((2 * brick + course % 2 + point[0], 2 * course + point[1]), len(numbers) + 1)
        triangles += [(at(ROUND[k]), at(ROUND[(k + 1) % 8]), at((1, 1))) for k in range(8)]
with open(f"{sys.argv[1]}/elastic-wall-solid.msh", "w") as out:
    print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes", file=out)
    print(len(numbers), *(f"{n} {0.05 * x:.10g} {0.025 * y:.10g} 0" for (x, y), n in numbers.items()), sep="\n", file=out)
    print("$EndNodes\n$Elements", file=out)
    print(len(triangles), *(f"{i} 2 2 0 0 {a} {b} {c}" for i, (a, b, c) in enumerate(triangles, 1)), sep="\n", file=out)
    print("$EndElements", file=out)
