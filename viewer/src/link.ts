// The address holds what is shown: a copy of it is a link to that view. What a link does not name is as it is at first.
import type { Picked } from './inspector';
import type { Model } from './model';
import type { Look } from './picture';

/** All that the address holds beside time and camera. */
export interface Shown {
  look: Look;
  range: [number, number] | null; // of colours, chosen by hand
  forces: boolean;
  picked: Picked | null;
}

const CHECKS = ['edges', 'chains', 'points', 'normals', 'open', 'joints', 'orthographic', 'dark', 'flip', 'labels'] as const;
const NUMBERS = ['magnify', 'chainWidth', 'threshold', 'clipAt'] as const;
const AXES = ['x', 'y', 'z'];
const CONTACT_COLOURS = ['status', 'residual', 'penetration'];
const WALLS = ['solid', 'glass', 'hidden'], TRAILS = ['none', 'short', 'all'];

const short = (x: number) => String(Number(x.toPrecision(7)));

function pickedText(picked: Picked): string {
  const numbers = picked.kind === 'body' ? [picked.row] : picked.kind === 'node' ? [picked.node] : picked.kind === 'joint' ? [picked.which]
    : [picked.a, picked.b, picked.feature];
  return [picked.kind, ...numbers].join(',');
}

function readPicked(text: string | null, model: Model): Picked | null {
  const [kind, ...words] = (text ?? '').split(','), [a, b, feature] = words.map(Number);
  if (!words.length || !words.every((word) => word && Number.isInteger(Number(word))) || a < 0) return null;
  if (kind === 'body' && a < model.rows) return { kind, row: a };
  if (kind === 'node' && a < (model.rest?.length ?? 0) / 3) return { kind, node: a };
  if (kind === 'joint' && a < model.about.joints.length) return { kind, which: a };
  return kind === 'contact' && words.length === 3 && Math.max(a, b) < model.rows && b >= 0 ? { kind, a, b, feature } : null;
}

/** Only what differs from `first`, the look of a page that was opened without a link. */
export function writeShown({ look, range, forces, picked }: Shown, first: Look, link: URLSearchParams) {
  if (look.field) link.set('colour', look.field.name);
  if (range) link.set('range', range.map(short).join(','));
  for (const key of CHECKS) if (look[key] !== first[key]) link.set(key, look[key] ? '1' : '0');
  for (const key of NUMBERS) if (look[key] !== first[key]) link.set(key, short(look[key]));
  if (look.walls !== first.walls) link.set('walls', look.walls);
  if (look.trails !== first.trails) link.set('trails', look.trails);
  if (look.contactColour !== first.contactColour) link.set('contacts', look.contactColour);
  if (look.clipAxis >= 0) link.set('cut', AXES[look.clipAxis]);
  if (look.widest) link.set('widest', short(look.widest));
  if (forces) link.set('forces', '1');
  if (picked) link.set('pick', pickedText(picked));
}

export function readShown(link: URLSearchParams, first: Look, model: Model): Shown {
  const look: Look = { ...first };
  look.field = model.fields.find((f) => f.name === link.get('colour')) ?? null;
  for (const key of CHECKS) if (link.has(key)) look[key] = link.get(key) === '1';
  for (const key of NUMBERS) if (link.has(key) && Number.isFinite(Number(link.get(key)))) look[key] = Number(link.get(key));
  look.magnify = Math.max(1, look.magnify);
  if (WALLS.includes(link.get('walls') ?? '')) look.walls = link.get('walls') as Look['walls'];
  if (TRAILS.includes(link.get('trails') ?? '')) look.trails = link.get('trails') as Look['trails'];
  if (CONTACT_COLOURS.includes(link.get('contacts') ?? '')) look.contactColour = link.get('contacts') as Look['contactColour'];
  if (AXES.includes(link.get('cut') ?? '')) look.clipAxis = AXES.indexOf(link.get('cut')!) as Look['clipAxis'];
  if (Number(link.get('widest')) > 0) look.widest = Number(link.get('widest'));
  const range = (link.get('range') ?? '').split(',').map(Number);
  return { look, range: range.length === 2 && range.every(Number.isFinite) ? [range[0], range[1]] : null, forces: link.get('forces') === '1',
           picked: readPicked(link.get('pick'), model) };
}
