// Numbers of one body or node in one frame: what is told and plotted of what is picked. Made in the worker.
import type { Field } from './model';
import { floats, integers, type Pack } from './pack';

export interface ProbeWish {
  kind: 'body' | 'node';
  index: number; // row of the body, or the node
  fields: string[];
}

export interface Probed {
  time: number;
  here: boolean;
  place?: number[];
  velocity?: number[];
  spin?: number[];
  displacement?: number[];
  fields: Record<string, number>; // those that the frame has
}

export function readProbe(pack: Pack, { kind, index, fields }: ProbeWish): Probed {
  const at = kind === 'node' ? index : integers(pack, 'body.row')!.indexOf(index);
  const probed: Probed = { time: pack.about.time, here: at >= 0, fields: {} };
  if (at < 0) return probed;
  const three = (name: string) => {
    const numbers = floats(pack, name);
    return numbers && Array.from(numbers.subarray(3 * at, 3 * at + 3));
  };
  if (kind === 'node') probed.displacement = three('node.displacement');
  else Object.assign(probed, { place: three('body.place'), velocity: three('body.velocity'), spin: three('body.spin') });
  for (const name of fields) {
    const value = floats(pack, `${kind === 'node' ? 'nodes' : 'field'}.${name}`)?.[at];
    if (value !== undefined && Number.isFinite(value)) probed.fields[name] = value;
  }
  return probed;
}

/** Of a node everything that is stored of nodes; of a body the field of its colour: the others follow from place and velocity. */
export function probeFields(kind: 'body' | 'node', fields: Field[], coloured: Field | null): string[] {
  const told = kind === 'node' ? fields.filter((f) => f.nodes_only || f.name.startsWith('velocity')) : [];
  return [...new Set([...told, ...(coloured && !coloured.category ? [coloured] : [])].map((f) => f.name))];
}
