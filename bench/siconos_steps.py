"""Siconos on a scene of peers/scenes.py: CPU seconds, contacts, iterations and accuracy of every step, as CSV.

    siconos_steps.py SCENE STEPS TOLERANCE OUT.csv     SCENE: spheres, wall or disks

The settings are the ones of the shared comparison (one Newton iteration, NSGS of at most 1000 iterations,
theta 0.50001, Bullet's contacts within 20 mm), the step is the stock one, and its CPU time is all that is
counted: from one call of the hook to the next, less the time in the hook. The accuracy is saltus' own measure

    e_c = |r_c - P_K(r_c - m u~_c)| / m,   m the mean mass of the moving bodies,

on the impulses r that the step applied and the velocities u = W r + q of the problem it solved, by natural_map.py.
Run it with LD_PRELOAD of peers/noassert.c (scenes_vs_siconos does): the self-checks of Debian's
build take time quadratic in the contacts.
"""
import csv, os, sys, tempfile, time

for name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'):
    os.environ[name] = '1'
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHARED = os.environ.get('SALTUS_SHARED', os.path.join(ROOT, '..', 'shared'))
sys.path[:0] = [os.path.join(SHARED, 'peers'), os.path.join(ROOT, 'bench')]
sys.dont_write_bytecode = True

import numpy as np
import siconos.io.mechanics_run as mechanics
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.mechanics.collision.bullet import SICONOS_BULLET_2D, SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

import natural_map
import scenes

PRIMITIVES = {'sphere': 'Sphere', 'disk': 'Disk', 'box': 'Box', 'box2d': 'Box2d'}
FIELDS = ['step', 'cpu_s', 'contacts', 'iterations', 'residual_rms', 'residual_max', 'penetration']


class Runner(mechanics.MechanicsHdf5Runner):
    def print_verbose(self, *text, **options):
        pass


def write_scene(scene, path):
    with mechanics.MechanicsHdf5Runner(io_filename=path, mode='w') as io:
        for i, body in enumerate(scene['bodies'] + scene['statics']):
            shape = body['shape']
            io.add_primitive_shape('shape%d' % i, PRIMITIVES[shape['type']], shape.get('size') or (shape['r'],),
                                   insideMargin=0.0, outsideMargin=0.0)
            given = {'translation': body['x']}
            if 'mass' in body:
                given.update(mass=body['mass'], inertia=body['inertia'], velocity=body['v'])
            if scene['dim'] == 2:
                given['orientation'] = [body.get('angle', 0.0)]
            io.add_object('body%d' % i, [Contactor('shape%d' % i)], **given)
        io.add_Newton_impact_friction_nsl('contact', mu=scene['mu'], e=scene['e'])


def bullet_options(scene):
    options = SiconosBulletOptions()
    options.worldScale = 1.0
    options.contactBreakingThreshold = 0.02
    perturbations = 3 if any('size' in body['shape'] for body in scene['bodies']) else 0
    options.perturbationIterations = options.minimumPointsPerturbationThreshold = perturbations
    if scene['dim'] == 2:
        options.dimension = SICONOS_BULLET_2D
    return options


def solver_options(scene, tolerance):
    options = kernel.solver_options_create(getattr(numerics, 'SICONOS_FRICTION_%dD_NSGS' % scene['dim']))
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
    options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
    return options


def residual(scene, mass, r, u):
    """e_c of every contact, m/s."""
    dim, mu = scene['dim'], np.full(len(r) // scene['dim'], scene['mu'])
    impulse, shifted = r.reshape(-1, dim) / mass, u.reshape(-1, dim).copy()
    shifted[:, 0] += mu * np.linalg.norm(shifted[:, 1:], axis=1)
    error = impulse - natural_map.project(impulse - shifted, mu, np.zeros_like(mu), dim - 1)
    return np.linalg.norm(error, axis=1)


class Recorder:
    """The hook at the end of every step."""
    def __init__(self, scene, path):
        self.scene = scene
        self.mass = np.mean([body['mass'] for body in scene['bodies']])
        self.stream = open(path, 'w', newline='')
        self.writer = csv.writer(self.stream)
        self.writer.writerow(FIELDS)
        self.steps, self.start = 0, None

    def begin(self, io):
        if self.start is None:
            self.start = time.process_time()

    def end(self, io):
        cpu = time.process_time() - self.start
        self.steps += 1
        problem = mechanics.cast_FrictionContact(io._simulation.oneStepNSProblem(0))
        options, size = problem.numericsSolverOptions(), problem.getSizeOutput()
        errors = np.zeros(0)
        if size:
            errors = residual(self.scene, self.mass, np.array(problem.z())[:size], np.array(problem.w())[:size])
        gaps = np.array(io._simulation.y(0, 0)) if size else np.zeros(0)
        self.writer.writerow([self.steps, '%.6f' % cpu, size // self.scene['dim'],
                              int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]) if size else 0,
                              '%.4g' % (np.sqrt(np.mean(errors**2)) if size else 0),
                              '%.4g' % (errors.max() if size else 0),
                              '%.4g' % max(0, -gaps.min() if len(gaps) else 0)])
        self.stream.flush()
        self.start = time.process_time()


def main(name, steps, tolerance, out):
    scene = scenes.SCENES[name]()
    recorder = Recorder(scene, out)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'scene.hdf5')
        write_scene(scene, path)
        with Runner(io_filename=path, mode='r+') as io:
            io.run(t0=0, T=(steps + 0.5) * scene['h'], h=scene['h'], theta=0.50001, Newton_max_iter=1,
                   Newton_options=kernel.SICONOS_TS_LINEAR, bullet_options=bullet_options(scene),
                   solver_options=solver_options(scene, tolerance), verbose=False, verbose_progress=False,
                   output_frequency=10**9, start_run_iteration_hook=recorder.begin,
                   end_run_iteration_hook=recorder.end)


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4])
