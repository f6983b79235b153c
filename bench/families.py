"""Scenes of many families, from which `choice` takes contact problems.

Two halves: `tune` is what a change of the solvers may be tried on, `judge` is kept aside and only looked at for the
tables. They differ in sizes, seeds, friction and partly in kind. Everything is drawn from the seed of the scene.
"""
import math
import random

HEAD = """dimension = {dim}
gravity = {gravity}
[scheme]
h = {h}
[solver]
name = "nlgs"
tolerance = 1e-3
max_iterations = 400
[law]
{law}
"""


def head(dim, law, h=5e-3):
    return HEAD.format(dim=dim, gravity='[0, -9.81]' if dim == 2 else '[0, 0, -9.81]', h=h, law=law)


def box(dim, half, height):
    low = [-half] * (dim - 1) + [0]
    high = [half] * (dim - 1) + [height]
    return f'[[generate]]\nkind = "walls"\nfrom = {low}\nto = {high}\n'


def body(shape, position, extra=''):
    return f'[[bodies]]\nshape = {shape}\nposition = {[round(x, 6) for x in position]}\n{extra}\n'


def places(dim, count, half, pitch, rng):
    """Sites of a jittered lattice from the floor up."""
    across = max(1, int(2 * half / pitch))
    sites = []
    layer = 0
    while len(sites) < count:
        for cell in range(across ** (dim - 1)):
            at = [(-half + pitch * ((cell // across ** k) % across + 0.5)) for k in range(dim - 1)]
            jitter = [0.05 * pitch * rng.uniform(-1, 1) for _ in range(dim)]
            sites.append([x + j for x, j in zip(at + [pitch * (layer + 0.6)], jitter)])
        layer += 1
    return sites[:count]


def turned(dim, rng):
    if dim == 2:
        return f'angle = {rng.uniform(0, 6.28):.6f}'
    return f'rotation = {[round(rng.uniform(-1.5, 1.5), 6) for _ in range(3)]}'


def fallen(dim, count, half, size, shape, law, seed, h=5e-3):
    """Bodies of random attitude that fall into a box; shape(rng) is about `size` across."""
    rng = random.Random(seed)
    text = head(dim, law, h) + box(dim, half, 100)
    for at in places(dim, count, half, 1.15 * size, rng):
        text += body(shape(rng), at, turned(dim, rng))
    return text


def polygon(size):
    def make(rng):
        corners = rng.randint(3, 8)
        start = rng.uniform(0, 6.28)
        angles = sorted(start + 6.2832 * (k + 0.6 * rng.random()) / corners for k in range(corners))
        radius = 0.5 * size * rng.uniform(0.6, 1)
        points = [[round(radius * math.cos(a), 6), round(radius * math.sin(a), 6)] for a in angles]
        return f'{{ kind = "polygon", points = {points} }}'
    return make


def hull(size, corners=12):
    def make(rng):
        points = []
        for _ in range(corners):
            p = [rng.gauss(0, 1) for _ in range(3)]
            length = math.sqrt(sum(x * x for x in p))
            radius = 0.5 * size * rng.uniform(0.75, 1)
            points.append([round(radius * x / length, 6) for x in p])
        return f'{{ kind = "polyhedron", points = {points} }}'
    return make


def cube(size):
    return lambda rng: f'{{ kind = "box", size = {[round(size / 1.75, 6)] * 3} }}'


def plank(size):
    return lambda rng: f'{{ kind = "box", size = {[round(size * k, 6) for k in (0.9, 0.35, 0.15)]} }}'


def capsule(dim, size):
    def make(rng):
        radius = 0.25 * size * rng.uniform(0.5, 1)
        half = round(0.5 * size - radius, 6)
        axis = [half] + [0] * (dim - 1)
        return (f'{{ kind = "capsule", start = {[-x for x in axis]}, end = {axis}, radius = {radius:.6f} }}')
    return make


def cylinder(size):
    return lambda rng: (f'{{ kind = "cylinder", radius = {0.3 * size:.6f}, '
                        f'length = {0.6 * size * rng.uniform(0.4, 1):.6f} }}')


def cluster(dim, size):
    kind = 'disk' if dim == 2 else 'sphere'

    def make(rng):
        parts = []
        for k in range(3):
            at = [0.25 * size * math.cos(2.1 * k), 0.25 * size * math.sin(2.1 * k)] + [0] * (dim - 2)
            parts.append(f'{{ kind = "{kind}", radius = {size * rng.uniform(0.15, 0.24):.6f}, '
                         f'position = {[round(x, 6) for x in at]} }}')
        return f'{{ kind = "compound", parts = [{", ".join(parts)}] }}'
    return make


def grains(dim, count, half, law, seed, radii=(0.09, 0.11), h=5e-3):
    return (head(dim, law, h) + box(dim, half, 100) +
            f'[[generate]]\nkind = "sample"\nradii = {list(radii)}\ncount = {count}\nlayout = "lattice"\n'
            f'from = {[-half] * (dim - 1) + [0]}\nto = {[half] * (dim - 1) + [100]}\nseed = {seed}\n')


def floor(dim):
    return body('{ kind = "%s" }' % ('half-plane' if dim == 2 else 'plane'), [0] * dim, 'fixed = true')


def wall(dim, courses, bricks, law, ball=False):
    brick = [0.4, 0.2] if dim == 2 else [0.4, 0.2, 0.2]
    text = head(dim, law) + floor(dim)
    text += f'[[generate]]\nkind = "brick-wall"\nbrick = {brick}\ncourses = {courses}\nbricks = {bricks}\n'
    if ball:
        shape = '{ kind = "%s", radius = 0.2 }' % ('disk' if dim == 2 else 'sphere')
        at = [-0.2 * bricks - 0.3] + [0.05] * (dim - 2) + [0.15 * courses]
        text += body(shape, at, f'velocity = {[8] + [0] * (dim - 1)}\ndensity = 4000')
    return text


def arch(dim, voussoirs, thickness, law):
    depth = 'depth = 0.5\n' if dim == 3 else ''
    return (head(dim, law, 2e-3) + f'[[generate]]\nkind = "arch"\nradius = 1.0\nthickness = {thickness}\n'
            f'voussoirs = {voussoirs}\n{depth}')


def stack(dim, count, ratio, law, seed=0):
    """Boxes with small offsets; the top one is `ratio` times as heavy."""
    rng = random.Random(seed)
    text = head(dim, law) + floor(dim)
    for k in range(count):
        kind = 'rectangle' if dim == 2 else 'box'
        at = [0.01 * rng.uniform(-1, 1) for _ in range(dim - 1)] + [0.2 * k + 0.1]
        density = 1000 * (ratio if k == count - 1 else 1)
        text += body(f'{{ kind = "{kind}", size = {[0.3] * (dim - 1) + [0.2]} }}', at, f'density = {density}')
    return text


def portico(columns, drums, law):
    return (head(3, law) + floor(3) + f'[[generate]]\nkind = "portico"\ncolumns = {columns}\ndrums = {drums}\n'
            'diameter = 0.5\ndrum_height = 0.5\nspacing = 1.5\narchitrave_height = 0.4\nsides = 8\n')


def tower(courses, bricks, law):
    return (head(3, law) + floor(3) + f'[[generate]]\nkind = "tower"\nbrick = [0.5, 0.25, 0.2]\n'
            f'courses = {courses}\nbricks = {bricks}\n' +
            body('{ kind = "sphere", radius = 0.2 }', [-1.2, 0.1, 0.1 * courses], 'velocity = [8, 0, 0]\ndensity = 4000'))


def silo(count, half, seed, law):
    """Polydisperse disks above a hopper that lets some of them out."""
    text = grains(2, count, half, law, seed, radii=(0.04, 0.12))
    text += body('{ kind = "segment", start = [%s, 1.5], end = [-0.4, 0.3] }' % -half, [0, 0], 'fixed = true')
    return text + body('{ kind = "segment", start = [0.4, 0.3], end = [%s, 1.5] }' % half, [0, 0], 'fixed = true')


MU = 'friction = 0.5'
SETTLE = [40, 90, 150, 250, 400]
STAND = [1, 5, 40, 120]


def families(half):
    """{family: [(name, scene text, steps at which problems are taken)]}"""
    if half == 'tune':
        return {
            'spheres': [('spheres-300', grains(3, 300, 0.7, MU, 1), SETTLE),
                        ('spheres-1500', grains(3, 1500, 1.2, MU, 2), SETTLE)],
            'disks': [('disks-400', grains(2, 400, 1.8, MU, 1), SETTLE),
                      ('disks-2000', grains(2, 2000, 4, MU, 2), SETTLE)],
            'cubes': [('cubes-64', fallen(3, 64, 0.45, 0.2, cube(0.2), MU, 1), SETTLE),
                      ('cubes-300', fallen(3, 300, 0.7, 0.2, cube(0.2), MU, 2), SETTLE)],
            'hulls': [('hulls-80', fallen(3, 80, 0.5, 0.2, hull(0.2), MU, 1), SETTLE),
                      ('hulls-400', fallen(3, 400, 0.8, 0.2, hull(0.2), MU, 2), SETTLE)],
            'polygons': [('polygons-200', fallen(2, 200, 1.2, 0.2, polygon(0.2), MU, 1), SETTLE),
                         ('polygons-1024', fallen(2, 1024, 2.5, 0.2, polygon(0.2), MU, 2), SETTLE)],
            'capsules': [('capsules-100', fallen(3, 100, 0.6, 0.2, capsule(3, 0.2), MU, 1), SETTLE),
                         ('capsules-600', fallen(3, 600, 1, 0.2, capsule(3, 0.2), MU, 2), SETTLE)],
            'walls': [('wall-2d', wall(2, 10, 10, MU), STAND),
                      ('wall-3d', wall(3, 8, 8, MU, ball=True), [1, 10, 40, 120])],
            'arches': [('arch-2d', arch(2, 16, 0.12, 'friction = 0.8'), STAND),
                       ('arch-3d', arch(3, 20, 0.15, 'friction = 0.6'), STAND)],
            'stacks': [('stack-12', stack(3, 12, 1, MU, 1), STAND),
                       ('stack-30', stack(2, 30, 1, MU, 2), STAND),
                       ('stack-ratio', stack(3, 12, 1000, MU, 3), STAND)],
            'bonded': [('bonded-disks', grains(2, 300, 1.6, MU + '\ncohesion = 5\nbonding = "adhesive"', 1), SETTLE),
                       ('bonded-spheres', grains(3, 250, 0.7, MU + '\ncohesion = 20\nbonding = "adhesive"', 2), SETTLE)],
            'rolling': [('rolling-disks', grains(2, 400, 1.8, MU + '\nrolling = 0.01', 1), SETTLE),
                        ('rolling-spheres', grains(3, 250, 0.7, MU + '\nrolling = 0.01', 2), SETTLE)],
        }
    return {
        'spheres': [('j-spheres-600', grains(3, 600, 0.9, 'friction = 0.35', 11, radii=(0.06, 0.12)), SETTLE),
                    ('j-spheres-2500', grains(3, 2500, 1.4, 'friction = 0.6', 12), SETTLE)],
        'disks': [('j-disks-800', grains(2, 800, 2.5, 'friction = 0.3', 11, radii=(0.05, 0.12)), SETTLE),
                  ('j-silo', silo(1500, 3, 12, 'friction = 0.6'), SETTLE)],
        'cubes': [('j-cubes-150', fallen(3, 150, 0.5, 0.2, cube(0.2), 'friction = 0.8', 11), SETTLE),
                  ('j-planks-200', fallen(3, 200, 0.7, 0.2, plank(0.2), 'friction = 0.4', 12), SETTLE)],
        'hulls': [('j-hulls-150', fallen(3, 150, 0.6, 0.2, hull(0.2, 20), 'friction = 0.7', 11), SETTLE),
                  ('j-hulls-700', fallen(3, 700, 1, 0.2, hull(0.2, 8), 'friction = 0.3', 12), SETTLE)],
        'polygons': [('j-polygons-400', fallen(2, 400, 1.6, 0.2, polygon(0.2), 'friction = 0.3', 11), SETTLE),
                     ('j-polygons-1500', fallen(2, 1500, 3, 0.2, polygon(0.2), 'friction = 0.8', 12, h=2e-3), SETTLE)],
        'capsules': [('j-capsules-250', fallen(3, 250, 0.7, 0.2, capsule(3, 0.2), 'friction = 0.8', 11), SETTLE),
                     ('j-capsules-2d', fallen(2, 500, 2, 0.2, capsule(2, 0.2), 'friction = 0.4', 12), SETTLE)],
        'walls': [('j-wall-2d', wall(2, 16, 8, 'friction = 0.7', ball=True), [1, 10, 40, 120]),
                  ('j-tower', tower(10, 2, 'friction = 0.6'), [1, 10, 40, 120])],
        'arches': [('j-arch-2d', arch(2, 40, 0.115, 'friction = 1.2'), STAND),
                   ('j-arch-3d', arch(3, 11, 0.2, 'friction = 0.5'), STAND)],
        'stacks': [('j-stack-20', stack(3, 20, 1, 'friction = 0.3', 11), STAND),
                   ('j-stack-ratio', stack(2, 15, 300, MU, 12), STAND),
                   ('j-portico', portico(4, 6, 'friction = 0.7'), STAND)],
        'bonded': [('j-bonded-disks', grains(2, 700, 2.4, 'friction = 0.4\ncohesion = 20\nbonding = "adhesive"', 11), SETTLE),
                   ('j-bonded-hulls', fallen(3, 120, 0.6, 0.2, hull(0.2), MU + '\ncohesion = 10\nbonding = "adhesive"', 12), SETTLE)],
        'rolling': [('j-rolling-disks', grains(2, 900, 2.6, 'friction = 0.3\nrolling = 0.02', 11), SETTLE),
                    ('j-rolling-spheres', grains(3, 500, 0.9, 'friction = 0.6\nrolling = 0.005', 12), SETTLE)],
        'clusters': [('j-clusters-3d', fallen(3, 150, 0.7, 0.2, cluster(3, 0.2), MU, 13), SETTLE),
                     ('j-cylinders', fallen(3, 120, 0.6, 0.2, cylinder(0.2), MU, 14), SETTLE)],
    }
