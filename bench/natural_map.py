"""The residual that both sides of a race are judged by, written apart from either of them:

    e_c = r_c - P_K(r_c - u~_c),   u = W r + b,   u~ = u + (mu |u_t| + mu_r |u_w|) n,   |e| / |b|

K = { |r_t| <= mu r_n, |r_w| <= mu_r r_n }; components of a contact: n, tangents, rolling.
"""
import numpy as np


def project(z, mu, mu_r, tangents):
    """Rows of z on K. The normal component x of the projection is the root, or 0 if negative, of
    x - z_n - mu (|z_t| - mu x)+ - mu_r (|z_w| - mu_r x)+, which increases with x: the pieces
    on which each ()+ is on or off are tried in turn."""
    n, t, w = z[:, 0], np.linalg.norm(z[:, 1:1 + tangents], axis=1), np.linalg.norm(z[:, 1 + tangents:], axis=1)
    x = np.full(len(z), np.nan)
    for slides in (0, 1):
        for rolls in (0, 1):
            root = (n + slides * mu * t + rolls * mu_r * w) / (1 + slides * mu**2 + rolls * mu_r**2)
            fits = ((mu * root < t) == slides) & ((mu_r * root < w) == rolls)
            x = np.where(np.isnan(x) & fits, root, x)
    x = np.maximum(np.where(np.isnan(x), n, x), 0)
    shrink = lambda size, bound: np.where(size > bound, bound / np.where(size > 0, size, 1), 1)
    out = z.copy()
    out[:, 0] = x
    out[:, 1:1 + tangents] *= shrink(t, mu * x)[:, None]
    out[:, 1 + tangents:] *= shrink(w, mu_r * x)[:, None]
    return out


def relative_residual(problem, r):
    """|e| / |b| (|e| when b = 0) and the largest of |b|, |r|, |u|, which Siconos divides by."""
    tangents = 1 if problem.dim == 2 else 2
    mu = np.asarray(problem.mu)
    mu_r = np.zeros_like(mu) if problem.mu_r is None else np.asarray(problem.mu_r)
    u = problem.W @ r + problem.q
    rows, shifted = r.reshape(-1, problem.dim), u.reshape(-1, problem.dim).copy()
    slip = np.linalg.norm(shifted[:, 1:1 + tangents], axis=1)
    spin = np.linalg.norm(shifted[:, 1 + tangents:], axis=1)
    shifted[:, 0] += mu * slip + mu_r * spin
    error = np.linalg.norm(rows - project(rows - shifted, mu, mu_r, tangents))
    b = np.linalg.norm(problem.q)
    return error / b if b > 0 else error, max(b, np.linalg.norm(r), np.linalg.norm(u))
