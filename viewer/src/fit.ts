// How far the camera stands so that everything is in the picture.
import * as THREE from 'three';
import { ENDLESS } from './frame';
import type { Model } from './model';

const MARGIN = 1.06;

/** Whether points surround the origin when one looks along axis `k`: no gap of 60 degrees between their directions. */
function surrounds(points: ArrayLike<number>, k: number): boolean {
  const angles: number[] = [], [u, v] = [(k + 1) % 3, (k + 2) % 3];
  for (let i = 0; i < points.length; i += 3) if (points[i + u] || points[i + v]) angles.push(Math.atan2(points[i + v], points[i + u]));
  angles.sort((a, b) => a - b);
  return angles.length > 5 && angles.every((angle, i) => (i + 1 < angles.length ? angles[i + 1] : angles[0] + 2 * Math.PI) - angle < Math.PI / 3);
}

/** Radius of a drum and the axis it is endless along; undefined for planes. */
function drumOf(model: Model, row: number): { radius: number; along: number } | undefined {
  const { points } = model.shapes[model.shapeOf[row]];
  if (!points) return undefined;
  const own = model.points.subarray(3 * points[0], 3 * (points[0] + points[1]));
  const along = (model.dimension === 2 ? [2] : [0, 1, 2]).find((axis) => surrounds(own, axis));
  if (along === undefined) return undefined;
  let radius = 0;
  for (let i = 0; i < own.length; i += 3) radius = Math.max(radius, Math.hypot(own[i + ((along + 1) % 3)], own[i + ((along + 2) % 3)]));
  return { radius, along };
}

/** Box of all that is to be seen: the model's, which leaves out strays; the bodies of this frame that are near it, and the drums around it.
 *  Planes have no end and set nothing. */
export function seenBox(model: Model, place: Float32Array | undefined): { low: number[]; high: number[] } {
  const low = [...model.low], high = [...model.high], near = model.size / 2;
  for (let row = 0; place && row < model.rows; row++) {
    if (!place[4 * row + 3]) continue;
    const drum = model.flags[row] & ENDLESS ? drumOf(model, row) : { radius: model.radiusOf(row), along: -1 };
    if (!drum) continue;
    for (let axis = 0; axis < model.dimension; axis++) {
      if (axis === drum.along) continue; // drums turn about their axis: the other two stay
      const from = place[4 * row + axis] - drum.radius, to = place[4 * row + axis] + drum.radius;
      if (drum.along >= 0 || from > model.low[axis] - near) low[axis] = Math.min(low[axis], from);
      if (drum.along >= 0 || to < model.high[axis] + near) high[axis] = Math.max(high[axis], to);
    }
  }
  return { low, high };
}

/** Half the height of a parallel picture, and the distance of a camera with half the angle `angle`, so that the box is in it. `direction`
 *  leads from the box to the eye. */
export function fitBox(low: number[], high: number[], direction: THREE.Vector3, up: THREE.Vector3, aspect: number, angle: number) {
  const towards = direction.clone().normalize(), right = up.clone().cross(towards).normalize(), above = towards.clone().cross(right);
  const slope = Math.tan(angle);
  let half = 0, distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const arm = new THREE.Vector3(...([0, 1, 2].map((k) => ((corner >> k) & 1 ? 0.5 : -0.5) * (high[k] - low[k])) as [number, number, number]));
    const height = Math.max(Math.abs(arm.dot(above)), Math.abs(arm.dot(right)) / aspect);
    half = Math.max(half, height);
    distance = Math.max(distance, height / slope + arm.dot(towards));
  }
  half = MARGIN * half || 1;
  return { half, distance: Math.max(MARGIN * distance, half / slope) };
}
