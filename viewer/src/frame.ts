// A frame as the picture takes it: arrays by row of the model, ready for the graphics card. Made in the worker.
import { floats, integers, type Pack } from './pack';

export const HELD = 1, ENDLESS = 2, FOLLOWS = 4;
/** Stands for "no number" in values: graphics cards need not keep a NaN. */
export const NONE = -3e38;
export const CHAIN = 9;

/** What the worker needs to know of the model. */
export interface FrameModel {
  rows: number; // of bodies
  span: number; // width of the textures
  flags: Uint8Array;
  period: number[];
}

export interface Contacts {
  count: number;
  a: Int32Array;
  b: Int32Array;
  feature: Int32Array;
  status: Uint8Array;
  point: Float32Array;
  normal?: Float32Array;
  impulse?: Float32Array;
  velocity?: Float32Array;
  gap?: Float32Array;
  residual?: Float32Array; // of its law, m/s
  /** CHAIN numbers per line: from the contact, to the centre of a grain, size of the impulse, status, 0; or of a contact of a mesh: the
   *  contact, a point at distance 1 along the impulse, size, status, 1. */
  chains: Float32Array;
  chainContact: Int32Array; // which contact a line is of
  strongest: number; // N s
  largest: Record<ContactMeasure, number>; // m/s, m
}

/** What contacts can be coloured by beside their status. */
export type ContactMeasure = 'residual' | 'penetration';

export function measureOf(contacts: Contacts, measure: ContactMeasure, i: number): number | undefined {
  return measure === 'residual' ? contacts.residual?.[i] : contacts.gap && Math.max(0, -contacts.gap[i]);
}

export interface Joints {
  count: number;
  which: Int32Array;
  point: Float32Array;
  pointB: Float32Array;
  impulse: Float32Array;
  gap: Float32Array;
  value: Float32Array;
  rate: Float32Array;
  effort: Float32Array;
}

export interface Frame {
  number: number;
  step: number;
  time: number;
  bytes: number;
  rowsNeeded: number; // more than the model has: it has grown
  rows: Int32Array;
  /** By row of the model, 4 each: x, y, z, and 0 where the body is not in the frame, 1 a body, 2 one that is held. */
  place: Float32Array;
  turn: Float32Array;
  /** By row of the model: what bodies are coloured by. */
  value?: Float32Array;
  nodeValue?: Float32Array;
  range?: [number, number];
  velocity?: Float32Array; // by row of the model, 3 each
  spin?: Float32Array;
  displacement?: Float32Array; // of nodes, 3 each
  contacts?: Contacts;
  joints?: Joints;
}

export function textureSpan(rows: number): number {
  return Math.max(1, Math.ceil(Math.sqrt(rows)));
}

export function buildFrame(pack: Pack, model: FrameModel, field: string | null): Frame {
  const rows = integers(pack, 'body.row')!;
  const size = model.span * model.span;
  const place = new Float32Array(4 * size), turn = new Float32Array(4 * size);
  const places = floats(pack, 'body.place')!, turns = floats(pack, 'body.turn')!;
  let rowsNeeded = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (row >= rowsNeeded) rowsNeeded = row + 1;
    if (row >= model.rows) continue;
    const flags = model.flags[row];
    for (let k = 0; k < 3; k++) place[4 * row + k] = places[3 * i + k];
    const finite = Number.isFinite(places[3 * i] + places[3 * i + 1] + places[3 * i + 2]);
    place[4 * row + 3] = !finite || flags & FOLLOWS ? 0 : flags & (HELD | ENDLESS) ? 2 : 1;
    for (let k = 0; k < 4; k++) turn[4 * row + k] = turns[4 * i + k];
  }
  const byRow = (numbers: Float32Array | undefined) => {
    if (!numbers) return undefined;
    const out = new Float32Array(3 * model.rows);
    for (let i = 0; i < rows.length; i++)
      if (rows[i] < model.rows) for (let k = 0; k < 3; k++) out[3 * rows[i] + k] = numbers[3 * i + k];
    return out;
  };
  const frame: Frame = {
    number: pack.about.frame, step: pack.about.step, time: pack.about.time, bytes: 0, rowsNeeded, rows, place, turn,
    velocity: byRow(floats(pack, 'body.velocity')), spin: byRow(floats(pack, 'body.spin')),
    displacement: floats(pack, 'node.displacement'),
  };
  if (field) addValues(pack, model, field, frame);
  if (pack.arrays.has('contact.a')) frame.contacts = buildContacts(pack, model, place);
  if (pack.arrays.has('joint.which')) frame.joints = buildJoints(pack);
  frame.bytes = 8 * place.length + 24 * model.rows + 4 * size +
    (frame.contacts ? 4 * frame.contacts.chains.length + 60 * frame.contacts.count : 0) +
    (frame.displacement ? 16 * frame.displacement.length / 3 : 0);
  return frame;
}

function addValues(pack: Pack, model: FrameModel, field: string, frame: Frame) {
  const bodies = floats(pack, `field.${field}`), nodes = floats(pack, `nodes.${field}`);
  let low = Infinity, high = -Infinity;
  const take = (v: number) => {
    if (!Number.isFinite(v)) return NONE;
    if (v < low) low = v;
    if (v > high) high = v;
    return v;
  };
  if (bodies) {
    frame.value = new Float32Array(model.span * model.span).fill(NONE);
    for (let i = 0; i < frame.rows.length; i++) {
      const row = frame.rows[i];
      if (row >= model.rows || model.flags[row] & FOLLOWS) continue;
      // Walls have the colour of walls, and do not set the scale.
      frame.value[row] = model.flags[row] & ENDLESS ? NONE : take(bodies[i]);
    }
  }
  if (nodes) frame.nodeValue = nodes.map(take);
  if (low <= high) frame.range = [low, high];
}

function buildContacts(pack: Pack, model: FrameModel, place: Float32Array): Contacts {
  const a = integers(pack, 'contact.a')!, b = integers(pack, 'contact.b')!;
  const point = floats(pack, 'contact.point')!, impulse = floats(pack, 'contact.impulse');
  const status = pack.arrays.get('contact.status')!.numbers as Uint8Array;
  const chains = new Float32Array(2 * CHAIN * a.length), chainContact = new Int32Array(2 * a.length);
  let lines = 0, strongest = 0;
  const put = (i: number, arm: (k: number) => number, size: number, alongForce: number) => {
    for (let k = 0; k < 3; k++) {
      chains[CHAIN * lines + k] = point[3 * i + k];
      chains[CHAIN * lines + 3 + k] = point[3 * i + k] + arm(k);
    }
    chains.set([size, status[i], alongForce], CHAIN * lines + 6);
    chainContact[lines++] = i;
  };
  for (let i = 0; impulse && i < a.length; i++) {
    const size = Math.hypot(impulse[3 * i], impulse[3 * i + 1], impulse[3 * i + 2]);
    if (!(size > 0)) continue;
    if (size > strongest) strongest = size;
    const rows = [a[i], b[i]].filter((row) => row < model.rows);
    // From the contact to the centre of a grain; a wall, a drum, a plate has no centre worth a line.
    const grains = rows.filter((row) => !(model.flags[row] & (HELD | ENDLESS | FOLLOWS)));
    for (const row of grains)
      put(i, (k) => {
        const arm = place[4 * row + k] - point[3 * i + k], period = model.period[k] ?? 0;
        return period > 0 ? arm - period * Math.round(arm / period) : arm;
      }, size, 0);
    // A mesh has no centre either: a line along the force, as in `saltus render`. With at most one grain there is room for it.
    if (rows.some((row) => model.flags[row] & FOLLOWS)) put(i, (k) => impulse[3 * i + k] / size, size, 1);
  }
  const contacts: Contacts = { count: a.length, a, b, feature: integers(pack, 'contact.feature')!, status, point, impulse, strongest,
    normal: floats(pack, 'contact.normal'), velocity: floats(pack, 'contact.velocity'), gap: floats(pack, 'contact.gap'),
    residual: floats(pack, 'contact.residual'), chains: chains.slice(0, CHAIN * lines), chainContact: chainContact.slice(0, lines),
    largest: { residual: 0, penetration: 0 } };
  for (const measure of ['residual', 'penetration'] as const)
    for (let i = 0; i < contacts.count; i++) {
      const value = measureOf(contacts, measure, i);
      if (value !== undefined && value > contacts.largest[measure]) contacts.largest[measure] = value;
    }
  return contacts;
}

function buildJoints(pack: Pack): Joints {
  return { count: integers(pack, 'joint.which')!.length, which: integers(pack, 'joint.which')!,
           point: floats(pack, 'joint.point')!, pointB: floats(pack, 'joint.point_b')!,
           impulse: floats(pack, 'joint.impulse')!, gap: floats(pack, 'joint.gap')!,
           value: floats(pack, 'joint.value')!, rate: floats(pack, 'joint.rate')!, effort: floats(pack, 'joint.effort')! };
}
