// What is picked, over time: frame after frame, evenly chosen where there are many.
import { splitAlongNormal } from './contact_check';
import type { Frame } from './frame';
import { findContact, type Picked } from './inspector';
import type { Field, Model } from './model';
import { probeFields, type Probed } from './probe';
import type { Source } from './source';

const MOST_FRAMES = 200;

export interface Track {
  name: string;
  unit: string;
  note: string; // which frames were left out
  time: number[];
  lines: [string, number[]][];
}

type Row = [string, string, number][]; // chart, line, number

const AXES = ['x', 'y', 'z'];

/** Fields by the chart they go into: stress.xx and stress.yy are two lines of one. */
const fieldRows = (fields: Record<string, number>): Row => Object.entries(fields).map(([name, value]) => {
  const [chart, ...rest] = name.split('.');
  return [chart, rest.join('.') || chart, value];
});

function bodyRow({ place, velocity: v, spin, fields }: Probed, { dimension, about }: Model): Row {
  const axes = AXES.slice(0, dimension), rows: Row = axes.map((axis, k) => ['position', axis, place![k] + about.origin[k]]);
  if (v) rows.push(['speed', 'speed', Math.hypot(...v)], ...axes.map((axis, k): Row[number] => ['speed', axis, v[k]]));
  if (spin) rows.push(...(dimension === 2 ? [['spin', 'spin', spin[2]]] : AXES.map((axis, k) => ['spin', axis, spin[k]])) as Row);
  return [...rows, ...fieldRows(fields)];
}

function nodeRow({ displacement: u, fields }: Probed, { dimension }: Model): Row {
  return [...AXES.slice(0, dimension).map((axis, k): Row[number] => ['displacement', axis, u![k]]), ...fieldRows(fields)];
}

function contactRow(picked: { a: number; b: number; feature: number }, frame: Frame, per: number): Row {
  const contacts = frame.contacts, i = findContact(contacts, picked);
  if (!contacts?.impulse || !contacts.normal || i < 0) return [];
  const r = splitAlongNormal(contacts, contacts.impulse, i);
  return [['contact', 'normal', r.normal / per], ['contact', 'tangent', r.tangent / per], ['gap', 'gap', contacts.gap?.[i] ?? NaN],
    ...(contacts.residual ? [['residual', 'residual', contacts.residual[i]] as Row[number]] : [])];
}

function jointRow(which: number, frame: Frame, { dimension, about }: Model, per: number): Row {
  const { joints } = frame, at = joints?.which.indexOf(which) ?? -1, turns: boolean[] = about.joint_turns?.[which] ?? [];
  if (!joints || at < 0) return [];
  const loads = AXES.slice(0, dimension).map((axis, k): Row[0] => ['joint', axis, joints.impulse[3 * at + k] / per]);
  const name = (turn: boolean, k: number) => (turns.length > 1 ? `${k + 1}` : turn ? 'angle' : 'way');
  return [...loads, ...turns.slice(0, 3).map((turn, k): Row[0] => [turn ? 'angle' : 'way', name(turn, k), joints.value[3 * at + k]])];
}

export async function track(picked: Picked, model: Model, source: Source, count: number, forces: boolean, coloured: Field | null,
                            progress: (share: number) => boolean): Promise<Track[]> {
  const stride = Math.max(1, Math.ceil(count / MOST_FRAMES)), per = forces && model.h > 0 ? model.h : 1;
  const time: number[] = [], charts = new Map<string, Map<string, number[]>>();
  const rowsAt = async (n: number): Promise<Row> => {
    if (picked.kind === 'body' || picked.kind === 'node') {
      const index = picked.kind === 'body' ? picked.row : picked.node;
      const probed = await source.probe(n, { kind: picked.kind, index, fields: probeFields(picked.kind, model.fields, coloured) });
      time.push(probed.time);
      return !probed.here ? [] : picked.kind === 'body' ? bodyRow(probed, model) : nodeRow(probed, model);
    }
    const frame = await source.frame(n, { field: null, contacts: picked.kind === 'contact', motion: false });
    time.push(frame.time);
    return picked.kind === 'contact' ? contactRow(picked, frame, per) : jointRow(picked.which, frame, model, per);
  };
  for (let n = 0; n < count; n += stride) {
    if (!progress(n / count)) return [];
    for (const [chart, line, number] of await rowsAt(n)) {
      if (!charts.has(chart)) charts.set(chart, new Map());
      const lines = charts.get(chart)!;
      if (!lines.has(line)) lines.set(line, []);
      lines.get(line)![time.length - 1] = number;
    }
  }
  const acting = forces ? 'N' : 'N s';
  const units: Record<string, string> = { position: 'm', speed: 'm/s', spin: 'rad/s', displacement: 'm', gap: 'm', residual: 'm/s', contact: acting, joint: acting, angle: 'rad', way: 'm' };
  const unitOf = (name: string) => units[name] ?? model.fields.find((f) => f.name === name || f.name.startsWith(`${name}.`))?.unit ?? '';
  const note = stride > 1 ? `frame 0, ${stride}, ${2 * stride}\u2026` : '';
  return [...charts].map(([name, lines]) => ({ name: `picked: ${name}`, unit: unitOf(name), note, time,
    lines: [...lines].map(([label, numbers]): [string, number[]] => [label, time.map((_, i) => numbers[i] ?? NaN)]) }));
}
