"""Spheres or bricks settle in YADE: yade -n -x -j1 yade_settle.py KIND BODIES STIFFNESS SECONDS; for vs_yade_bullet.

Spheres: springs and friction of Cundall and Strack, Young's modulus as given, half the P-wave step. Bricks: polyhedra with the
volumetric law, whose stiffness is a force per volume of overlap. Local damping 0.2, friction 0.5.
"""
import math
import time
from yade import polyhedra_utils, utils

kind, path, stiffness, seconds = sys.argv[-4], sys.argv[-3], float(sys.argv[-2]), float(sys.argv[-1])
angle = math.atan(0.5)
rows = [[float(word) for word in line.split()] for line in open(path)]
if kind == 'spheres':
    O.materials.append(FrictMat(young=stiffness, poisson=0.3, frictionAngle=angle, density=1000))
    ids = [O.bodies.append(utils.sphere(row[:3], row[8])) for row in rows]
    O.bodies.append([utils.wall(0, axis=2, sense=1)] +
                    [utils.wall(side * 1.2, axis=axis, sense=-side) for axis in (0, 1) for side in (-1, 1)])
    bounds, forms = [Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()]
    physics, law = [Ip2_FrictMat_FrictMat_FrictPhys()], [Law2_ScGeom_FrictPhys_CundallStrack()]
else:
    brick = PolyhedraMat(young=stiffness, poisson=0.5, frictionAngle=angle, density=2000)
    ids = []
    for row in rows:
        half = row[8:11]
        corners = [(i * half[0], j * half[1], k * half[2]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        body = polyhedra_utils.polyhedra(brick, v=corners)
        body.state.pos = row[:3]
        ids.append(O.bodies.append(body))
    O.bodies.append(utils.wall(0, axis=2, sense=1, material=brick))
    bounds, forms = [Bo1_Polyhedra_Aabb(), Bo1_Wall_Aabb()], [Ig2_Polyhedra_Polyhedra_PolyhedraGeom(), Ig2_Wall_Polyhedra_PolyhedraGeom()]
    physics, law = [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()], [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]
O.engines = [
    ForceResetter(),
    InsertionSortCollider(bounds),
    InteractionLoop(forms, physics, law),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.2)
]
# Of a brick on an eighth of its bed: a twentieth of 2 pi / sqrt(k / m).
O.dt = 0.5 * utils.PWaveTimeStep() if kind == 'spheres' else 0.3 * math.sqrt(32 / (stiffness * 0.01))


def places():
    found = []
    for i in ids:
        state = O.bodies[i].state
        q = state.ori
        found.append([*state.pos, q[3], q[0], q[1], q[2]])
    return found


start = time.process_time()
O.run(int(round(seconds / 2 / O.dt)), True)
middle = places()
O.run(int(round(seconds / 2 / O.dt)), True)
cpu = time.process_time() - start
print('RESULT', cpu, utils.kineticEnergy())
for place in middle + places():
    print('RESULT', *('%.17g' % number for number in place))
