// What is picked, over time: frame after frame, evenly chosen where there are many.
import type { Frame } from './frame';
import { findContact, splitAlongNormal, type Picked } from './inspector';
import type { Model } from './model';
import type { Source } from './source';

const MOST_FRAMES = 200;

export interface Track {
  name: string;
  unit: string;
  time: number[];
  lines: [string, number[]][];
}

type Row = [string, string, number][]; // chart, line, number

function bodyRow(row: number, frame: Frame, model: Model): Row {
  const axes = ['x', 'y', 'z'].slice(0, model.dimension);
  const inFrame = frame.place[4 * row + 3] > 0 ? 1 : NaN, v = frame.velocity?.subarray(3 * row, 3 * row + 3);
  return [...axes.map((axis, k): Row[number] => ['position', axis, inFrame * (frame.place[4 * row + k] + model.about.origin[k])]),
    ...(v ? [['speed', 'speed', inFrame * Math.hypot(...v)], ...axes.map((axis, k): Row[number] => ['speed', axis, inFrame * v[k]])] as Row : [])];
}

function contactRow(picked: { a: number; b: number; feature: number }, frame: Frame, per: number): Row {
  const contacts = frame.contacts, i = findContact(contacts, picked);
  if (!contacts?.impulse || !contacts.normal || i < 0) return [['contact', 'normal', NaN], ['contact', 'tangent', NaN], ['gap', 'gap', NaN]];
  const r = splitAlongNormal(contacts, contacts.impulse, i);
  return [['contact', 'normal', r.normal / per], ['contact', 'tangent', r.tangent / per], ['gap', 'gap', contacts.gap?.[i] ?? NaN]];
}

export async function track(picked: Picked, model: Model, source: Source, count: number, forces: boolean,
                            progress: (share: number) => boolean): Promise<Track[]> {
  const stride = Math.max(1, Math.ceil(count / MOST_FRAMES)), time: number[] = [], charts = new Map<string, Map<string, number[]>>();
  for (let n = 0; n < count; n += stride) {
    if (!progress(n / count)) return [];
    const frame = await source.frame(n, { field: null, contacts: picked.kind === 'contact', motion: picked.kind === 'body' });
    time.push(frame.time);
    const axes = ['x', 'y', 'z'].slice(0, model.dimension);
    const rows: Row = picked.kind === 'body' ? bodyRow(picked.row, frame, model)
      : picked.kind === 'contact' ? contactRow(picked, frame, forces && model.h > 0 ? model.h : 1)
      : picked.kind === 'node' ? axes.map((axis, k) => ['displacement', axis, frame.displacement![3 * picked.node + k]])
      : axes.map((axis, k) => ['joint', axis, (frame.joints?.impulse[3 * frame.joints.which.indexOf(picked.which) + k] ?? NaN) / (forces && model.h > 0 ? model.h : 1)]);
    for (const [chart, line, number] of rows) {
      if (!charts.has(chart)) charts.set(chart, new Map());
      const lines = charts.get(chart)!;
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line)!.push(number);
    }
  }
  const acting = forces ? 'N' : 'N s';
  const units: Record<string, string> = { position: 'm', speed: 'm/s', displacement: 'm', gap: 'm', contact: acting, joint: acting };
  return [...charts].map(([name, lines]) => ({ name: `picked: ${name}`, unit: units[name], time, lines: [...lines] }));
}
