// Contacts of meshes: where they are drawn when the deformation is magnified.
import type { Frame } from './frame';
import type { Model } from './model';

type Point = [number, number, number];

/** Shares of the corners a, b, c in the point of the triangle that is nearest to p (Ericson, Real-Time Collision Detection, 5.1.5). */
export function nearestShares(p: Point, a: Point, b: Point, c: Point): Point {
  const minus = (u: Point, v: Point): Point => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
  const dot = (u: Point, v: Point) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
  const d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d1 <= 0 && d2 <= 0) return [1, 0, 0];
  if (d3 >= 0 && d4 <= d3) return [0, 1, 0];
  if (d6 >= 0 && d5 <= d6) return [0, 0, 1];
  const vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return [1 - d1 / (d1 - d3), d1 / (d1 - d3), 0];
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return [1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)];
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const w = (d4 - d3) / (d4 - d3 + d5 - d6);
    return [0, 1 - w, w];
  }
  const sum = va + vb + vc;
  return [va / sum, vb / sum, vc / sum];
}

/** Displacement of the matter at a point of the surface of a system. */
function displacementAt(p: Point, frame: Frame, model: Model, system: number): Point {
  const rest = model.rest!, u = frame.displacement!, triangles = model.trianglesOf(system);
  const corner = (node: number): Point => [0, 1, 2].map((k) => rest[3 * node + k] + u[3 * node + k]) as Point;
  let best = Infinity, found: Point = [0, 0, 0];
  for (let t = 0; t < triangles.length; t += 3) {
    const nodes = [triangles[t], triangles[t + 1], triangles[t + 2]], corners = nodes.map(corner);
    const shares = nearestShares(p, corners[0], corners[1], corners[2]);
    const mix = (value: (i: number, k: number) => number) => [0, 1, 2].map((k) => shares.reduce((sum, s, i) => sum + s * value(i, k), 0)) as Point;
    const at = mix((i, k) => corners[i][k]), distance = Math.hypot(at[0] - p[0], at[1] - p[1], at[2] - p[2]);
    if (distance < best) [best, found] = [distance, mix((i, k) => u[3 * nodes[i] + k])];
  }
  return found;
}

// By frame: displacements of the meshes at the contacts, of two meshes their mean.
const shifts = new WeakMap<Frame, Float32Array>();

function contactShifts(frame: Frame, model: Model): Float32Array {
  const known = shifts.get(frame);
  if (known) return known;
  const { count, point, a, b } = frame.contacts!, made = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const systems = [a[i], b[i]].map((row) => model.systems[row]).filter((system) => system >= 0);
    for (const system of systems)
      displacementAt([point[3 * i], point[3 * i + 1], point[3 * i + 2]], frame, model, system).forEach((x, k) => (made[3 * i + k] += x / systems.length));
  }
  shifts.set(frame, made);
  return made;
}

/** Where contacts are drawn: those of meshes go with the magnified deformation, bodies stay where they are. */
export function contactPlaces(frame: Frame, model: Model, magnify: number): Float32Array {
  const { point } = frame.contacts!;
  if (magnify === 1 || !model.rest || !frame.displacement) return point;
  return contactShifts(frame, model).map((x, i) => point[i] + (magnify - 1) * x);
}
