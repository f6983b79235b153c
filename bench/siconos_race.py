"""Siconos on one problem: the least CPU time in which a solver of it reaches |e| / |b| <= tolerance.

Siconos stops by its own scaling, |e| / max(|b|, |r|, |u|), and some of its solvers by estimates.
It is asked for the tolerance first as it stands, which is the loosest that could do; when the
answer is not good enough by |e| / |b|, for the tolerance times |b| / max(|b|, |r|, |u|) of that
answer, then for less and less. Only the first solve that reached the tolerance is counted.

Each solver runs in a child process with a limit of CPU time. The self-checks of Debian's build
are in the graphs of its simulation kernel, which takes no part here.
"""
import multiprocessing, os, resource, time

import numpy as np
import siconos.numerics as sn

import fc3d_siconos
import natural_map

ITERATIONS = 100000
DENSE_LIMIT = 400  # unknowns up to which the 2D solvers that need a dense matrix are tried
ENUM_LIMIT = 6     # contacts: enumeration takes exponential time
SEARCHES = 6


def solvers(problem):
    if problem.dim == 5:
        return ['NSGS', 'ADMM']
    if problem.dim == 3:
        return ['NSGS', 'NSGS_FULL', 'ADMM', 'NSN_AC', 'PROX']
    names = ['NSGS']
    if len(problem.q) <= DENSE_LIMIT:
        names += ['CPG', 'LEMKE']
    return names + (['ENUM'] if problem.nc <= ENUM_LIMIT else [])


def needs_dense(problem, solver):
    """Siconos' rolling solvers stop on an assertion when given sparse blocks."""
    return problem.dim == 5 or (problem.dim == 2 and solver != 'NSGS')


def driver(problem, solver, path):
    """A function of the tolerance that solves from zero: (r, CPU seconds, iterations)."""
    if problem.dim == 5:
        load, drive = sn.rollingFrictionContact_new_from_filename, sn.rolling_fc3d_driver
        make = lambda: sn.SolverOptions(getattr(sn, 'SICONOS_ROLLING_FRICTION_3D_' + solver))
    elif problem.dim == 3:
        load, drive, make = sn.frictionContact_new_from_filename, sn.fc3d_driver, fc3d_siconos.SOLVERS[solver]
    else:
        load, drive = sn.frictionContact_new_from_filename, sn.fc2d_driver
        make = lambda: sn.SolverOptions(getattr(sn, 'SICONOS_FRICTION_2D_' + solver))
    native = load(path)

    def solve(tolerance):
        options = make()
        is_newton = 'NSN' in solver or solver == 'PROX'
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 2000 if is_newton else ITERATIONS
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        r, u = np.zeros(len(problem.q)), np.zeros(len(problem.q))
        start = time.process_time()
        drive(native, r, u, options)
        return r, time.process_time() - start, int(options.iparam[sn.SICONOS_IPARAM_ITER_DONE])
    return solve


def search(problem, solve, tolerance):
    """(CPU seconds, residual, iterations, tolerance asked) of the first good solve, or None."""
    b, asked = np.linalg.norm(problem.q), tolerance
    for _ in range(SEARCHES):
        r, cpu, iterations = solve(asked)
        residual, largest = natural_map.relative_residual(problem, r)
        if residual <= tolerance:
            return cpu, residual, iterations, asked
        scale = largest if largest > np.finfo(float).eps else 1.0  # below that Siconos does not divide
        translated = tolerance * b / scale if np.isfinite(largest) and b > 0 else 0.0
        asked = translated if 0 < translated < 0.9 * asked else 0.3 * asked
    return None


def measure(solve, asked, repeat_for):
    """Mean CPU seconds of solves that together take at least repeat_for."""
    total, count = 0.0, 0
    while total < repeat_for:
        total += solve(asked)[1]
        count += 1
    return total / count


def child(pipe, problem, solver, path, tolerance, cap, repeat_for):
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime + cap) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    solve = driver(problem, solver, path)
    best = search(problem, solve, tolerance)
    if best is not None:
        pipe.send(best[:3])
        if best[0] < repeat_for:
            pipe.send((measure(solve, best[3], repeat_for),) + best[1:3])
    os._exit(0)


def race(problem, solver, path, tolerance, cap, repeat_for):
    """(CPU seconds, residual, iterations) or None when the solver did not get there within cap."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=child,
                                      args=(theirs, problem, solver, path, tolerance, cap, repeat_for))
    process.start()
    theirs.close()
    found = None
    try:
        while True:
            found = ours.recv()
    except EOFError:
        pass
    process.join()
    return found
