// What is under the pointer, and how it is marked.
import { findContact, type Picked } from './inspector';
import type { Frame } from './frame';
import { contactPlaces } from './meshes';
import type { Model } from './model';
import type { Look, Picture } from './picture';

const NEAR = 9; // px

function nearest(picture: Picture, points: ArrayLike<number>, stride: number, x: number, y: number, near: number, use: (i: number) => boolean): number {
  let best = -1, distance = near;
  for (let i = 0; i < points.length / stride; i++) {
    if (!use(i)) continue;
    const [px, py] = picture.project(points[stride * i], points[stride * i + 1], points[stride * i + 2]);
    const d = Math.hypot(px - x, py - y);
    if (d < distance) [best, distance] = [i, d];
  }
  return best;
}

/** Contacts and joints where they are shown, then the body or node that is seen there. */
export function pickAt(picture: Picture, model: Model, look: Look, x: number, y: number): Picked | null {
  const frame = picture.frame;
  if (!frame) return null;
  const contacts = frame.contacts;
  if (contacts && (look.points || look.normals || look.chains)) {
    const i = nearest(picture, contactPlaces(frame, model, look.magnify), 3, x, y, NEAR, (k) => look.open || contacts.status[k] > 1);
    if (i >= 0) return { kind: 'contact', a: contacts.a[i], b: contacts.b[i], feature: contacts.feature[i] };
  }
  if (frame.joints && look.joints) {
    const i = nearest(picture, frame.joints.pointB, 3, x, y, NEAR, () => true);
    if (i >= 0) return { kind: 'joint', which: frame.joints.which[i] };
  }
  const row = picture.bodyAt(x, y);
  if (row >= 0) return { kind: 'body', row };
  if (row === -2 && model.rest && frame.displacement) {
    const places = model.rest.map((v, i) => v + look.magnify * frame.displacement![i]);
    const node = nearest(picture, places, 3, x, y, Infinity, () => true);
    if (node >= 0) return { kind: 'node', node };
  }
  return null;
}

/** What shows where the picked contact (and its impulse), node or joint is. */
export interface Mark {
  lines: number[]; // two points each
  ring?: number[];
}

export function markOf(picked: Picked | null, frame: Frame, model: Model, magnify: number, strongest: number): Mark {
  const size = 0.6 * model.grain, cross = (p: number[]) => [0, 1, 2].flatMap((k) => {
    const from = [...p], to = [...p];
    from[k] -= size / 4;
    to[k] += size / 4;
    return [...from, ...to];
  });
  const at = (p: number[]): Mark => ({ lines: cross(p), ring: p });
  if (picked?.kind === 'contact') {
    const i = findContact(frame.contacts, picked), contacts = frame.contacts;
    if (i < 0 || !contacts) return { lines: [] };
    const p = [...contactPlaces(frame, model, magnify).subarray(3 * i, 3 * i + 3)], lines: number[] = [];
    if (contacts.impulse && strongest > 0) lines.push(...p, ...p.map((x, k) => x + (2 * size * contacts.impulse![3 * i + k]) / strongest));
    return { lines, ring: p };
  }
  if (picked?.kind === 'node' && model.rest && frame.displacement)
    return at([0, 1, 2].map((k) => model.rest![3 * picked.node + k] + magnify * frame.displacement![3 * picked.node + k]));
  if (picked?.kind === 'joint' && frame.joints) {
    const i = frame.joints.which.indexOf(picked.which);
    return i < 0 ? { lines: [] } : at([...frame.joints.pointB.subarray(3 * i, 3 * i + 3)]);
  }
  return { lines: [] };
}
