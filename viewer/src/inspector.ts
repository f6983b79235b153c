// Values of what is picked, in words and numbers.
import { digits, el, values, vector } from './dom';
import { checkContact, splitAlongNormal } from './contact_check';
import { HELD, type Contacts, type Frame, type Joints } from './frame';
import type { Field, Model } from './model';
import type { Probed } from './probe';

export type Picked =
  | { kind: 'body'; row: number }
  | { kind: 'contact'; a: number; b: number; feature: number }
  | { kind: 'node'; node: number }
  | { kind: 'joint'; which: number };

const STATUS = ['inactive', 'open', 'stick', 'slide'];

export function findContact(contacts: Contacts | undefined, picked: { a: number; b: number; feature: number }): number {
  if (!contacts) return -1;
  for (let i = 0; i < contacts.count; i++)
    if (contacts.a[i] === picked.a && contacts.b[i] === picked.b && contacts.feature[i] === picked.feature) return i;
  return -1;
}

/** The impulse in Coulomb's cone: |r_t| to the right, r_n up. */
function coneDrawing(normal: number, tangent: number, mu: number | undefined): SVGElement {
  const largest = Math.max(normal, mu ? tangent / mu : tangent, 1e-300), scale = 70 / largest;
  const spread = mu === undefined ? 0 : Math.min(80, 85 * mu), x = tangent * scale, y = 88 - Math.max(0, normal) * scale;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '-95 0 190 100');
  svg.setAttribute('width', '100%');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'impulse in the friction cone');
  const cone = mu === undefined ? '' : `<path d="M0 88 L${-spread} ${88 - spread / mu} L${spread} ${88 - spread / mu} Z" fill="var(--chip)" stroke="var(--soft)"/>`;
  svg.innerHTML = `${mu === 0 ? '' : cone}<path d="M0 88 V3 M-90 88 H90" stroke="var(--line)"/>` +
    `<path d="M0 88 L${x} ${y}" stroke="var(--accent)" stroke-width="2.5"/><circle cx="${x}" cy="${y}" r="3.5" fill="var(--accent)"/>` +
    '<text x="4" y="10" font-size="9" fill="var(--soft)">normal</text><text x="52" y="98" font-size="9" fill="var(--soft)">tangent</text>';
  return svg;
}

export class Inspector {
  readonly element = el('div');
  forces = false; // impulses over h

  constructor(private model: Model) {}

  /** `probed`: numbers of a body or node that the frame itself does not hold; they may come later. `coloured`: what colours show. */
  show(picked: Picked | null, frame: Frame | undefined, coloured: Field | null, probed?: Probed) {
    if (!picked || !frame)
      return this.element.replaceChildren(el('p', { className: 'hint' }, 'Click or tap a body, a contact (where they are shown), a node or a joint.'));
    const parts = picked.kind === 'body' ? this.body(picked.row, frame, coloured, probed) : picked.kind === 'contact' ? this.contact(picked, frame)
      : picked.kind === 'node' ? this.node(picked.node, frame, probed) : this.joint(picked.which, frame);
    this.element.replaceChildren(...parts);
  }

  private place(v: ArrayLike<number>, begin: number): string {
    const { origin } = this.model.about;
    return vector(origin.map((o: number, k: number) => o + v[begin + k]), 0, this.model.dimension, 'm');
  }

  private fieldRows(values: Record<string, number>): [string, string][] {
    return Object.entries(values).map(([name, value]) => [name, `${digits(value)} ${this.model.fields.find((f) => f.name === name)?.unit ?? ''}`]);
  }

  private body(row: number, frame: Frame, coloured: Field | null, probed?: Probed): Node[] {
    const { model } = this, d = model.dimension, rows: [string, string][] = [['id', String(model.ids[row])]];
    if (!frame.place[4 * row + 3]) return [el('b', {}, model.nameOf(row)), el('p', { className: 'hint' }, 'not in this frame')];
    const material = model.about.materials[model.materials[row]];
    if (material) rows.push(['material', material]);
    rows.push(['mass', model.flags[row] & HELD ? 'held or driven' : Number.isNaN(model.masses[row]) ? 'of its system' : `${digits(model.masses[row])} kg`]);
    rows.push(['position', this.place(frame.place, 4 * row)]);
    const v = frame.velocity?.subarray(3 * row, 3 * row + 3) ?? probed?.velocity, spin = frame.spin?.subarray(3 * row, 3 * row + 3) ?? probed?.spin;
    if (v) rows.push(['velocity', vector(v, 0, d, 'm/s')], ['speed', `${digits(Math.hypot(...v))} m/s`]);
    if (spin) rows.push(['spin', d === 2 ? `${digits(spin[2])} rad/s` : vector(spin, 0, 3, 'rad/s')]);
    const value = frame.value && frame.value[row] > -1e38 ? frame.value[row] : undefined;
    if (coloured && value !== undefined)
      rows.push([coloured.name, coloured.category ? coloured.categories[value] ?? String(value) : `${digits(value)} ${coloured.unit}`]);
    if (frame.contacts) {
      let count = 0;
      for (let i = 0; i < frame.contacts.count; i++) if (frame.contacts.a[i] === row || frame.contacts.b[i] === row) count++;
      rows.push(['contacts', String(count)]);
    }
    return [el('b', {}, model.nameOf(row)), values(rows)];
  }

  private contact(picked: { a: number; b: number; feature: number }, frame: Frame): Node[] {
    const { model } = this, contacts = frame.contacts, i = findContact(contacts, picked);
    const title = el('b', {}, `contact of ${model.nameOf(picked.a)} and ${model.nameOf(picked.b)}`);
    if (!contacts || i < 0) return [title, el('p', { className: 'hint' }, 'not in this frame')];
    const rows: [string, string][] = [['status', STATUS[contacts.status[i]] ?? '?'], ['place', this.place(contacts.point, 3 * i)]];
    if (contacts.normal) rows.push(['normal', vector(contacts.normal, 3 * i, model.dimension, '')]);
    if (contacts.gap) rows.push([contacts.gap[i] < 0 ? 'penetration' : 'gap', `${digits(Math.abs(contacts.gap[i]))} m`]);
    if (contacts.residual) rows.push(['residual of its law', `${digits(contacts.residual[i], 3)} m/s`]);
    if (!contacts.impulse || !contacts.normal) return [title, values(rows)];
    const r = splitAlongNormal(contacts, contacts.impulse, i), per = this.forces && model.h > 0 ? model.h : 1;
    const [what, unit] = this.forces ? ['mean force over the step', 'N'] : ['impulse of the step', 'N s'];
    rows.push([`normal ${what}`, `${digits(r.normal / per)} ${unit}`], [`tangential ${what}`, `${digits(r.tangent / per)} ${unit}`]);
    const law = model.friction(model.materials[picked.a], model.materials[picked.b]);
    if (law && !law.cohesive && law.mu > 0 && r.normal > 0)
      rows.push(['friction', String(law.mu)], ['of its cone', `${digits((100 * r.tangent) / (law.mu * r.normal), 3)} %`]);
    if (contacts.velocity) {
      const u = splitAlongNormal(contacts, contacts.velocity, i);
      rows.push(['u normal, tangent', `${digits(u.normal, 3)}, ${digits(u.tangent, 3)} m/s`]);
    }
    return [title, values(rows), ...this.check(contacts, i, law && !law.cohesive ? law.mu : undefined), coneDrawing(r.normal, r.tangent, law && !law.cohesive ? law.mu : undefined)];
  }

  private check(contacts: Contacts, i: number, mu: number | undefined): Node[] {
    const check = checkContact(contacts, i, mu), rows: [string, string][] = [];
    if (check.cone !== undefined) rows.push(['|r_t| \u2212 \u03bc r_n', `${digits(check.cone, 3)} N s`]);
    if (check.complementarity !== undefined) rows.push(['r_n u_n', `${digits(check.complementarity, 3)} J`]);
    if (check.opposition !== undefined) rows.push(['r_t u_t + \u03bc r_n |u_t|', `${digits(check.opposition, 3)} J`]);
    if (check.agrees !== undefined) rows.push(['status and cone', check.agrees ? 'agree' : 'do not agree']);
    return rows.length ? [el('p', { className: 'hint' }, 'Computed here from the stored frame, not by the solver:'), values(rows)] : [];
  }

  private node(node: number, frame: Frame, probed?: Probed): Node[] {
    const { model } = this, system = model.systemOfNode![node], rest = model.rest!, u = frame.displacement!;
    const now = [0, 1, 2].map((k) => rest[3 * node + k] + u[3 * node + k]);
    const rows: [string, string][] = [['position', this.place(now, 0)], ['displacement', vector(u, 3 * node, model.dimension, 'm')]];
    if (probed) rows.push(...this.fieldRows(probed.fields));
    const first = model.systemOfNode!.indexOf(system);
    return [el('b', {}, `node ${node - first} of ${model.about.systems[system] || `system ${system}`}`), values(rows)];
  }

  private joint(which: number, frame: Frame): Node[] {
    const { model } = this, joints = frame.joints, i = joints ? joints.which.indexOf(which) : -1;
    const title = el('b', {}, model.about.joints[which] || `joint ${which}`);
    if (!joints || i < 0) return [title];
    const per = this.forces && model.h > 0 ? model.h : 1, [what, unit] = this.forces ? ['mean force', 'N'] : ['impulse', 'N s'];
    return [title, values([['place', this.place(joints.point, 3 * i)], ['off by', `${digits(joints.gap[i])} m`],
      [what, vector(Array.from(joints.impulse.subarray(3 * i, 3 * i + 3), (x) => x / per), 0, model.dimension, unit)],
      ...this.freeDirections(which, joints, i)])];
  }

  // Values and rates; units and how many there are where the scene tells them.
  private freeDirections(which: number, joints: Joints, i: number): [string, string][] {
    const turns: boolean[] = this.model.about.joint_turns?.[which] ?? [];
    if (!turns.length) return [['free values', vector(joints.value, 3 * i, 3, '')], ['rates', vector(joints.rate, 3 * i, 3, '')]];
    return turns.slice(0, 3).flatMap((turn, k): [string, string][] => [[turn ? 'angle' : 'way', `${digits(joints.value[3 * i + k])} ${turn ? 'rad' : 'm'}`],
      ['rate', `${digits(joints.rate[3 * i + k])} ${turn ? 'rad/s' : 'm/s'}`]]);
  }
}
