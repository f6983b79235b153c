// The controls beside the picture.
import { check, choice, el, row, section, slider } from './dom';
import { PRESETS, type Look } from './picture';
import type { Model } from './model';
import { TRAIL } from './trails';

export interface PanelParts {
  model: Model;
  look: Look;
  inspector: HTMLElement;
  certificate: HTMLElement;
  range: [number, number] | null;
  isForce: () => boolean;
  setForce: (forces: boolean) => void;
  setField: (name: string) => void;
  setRange: (range: [number, number] | null) => void;
  changed: (needsFrames: boolean) => void;
  preset: (name: string) => void;
  plotPicked: () => void;
  unpick: () => void;
}

export function buildPanel(parts: PanelParts): HTMLElement {
  const { model, look, changed } = parts, has3 = model.dimension === 3;
  const set = <K extends keyof Look>(key: K, needsFrames = false) => (value: Look[K]) => {
    look[key] = value;
    changed(needsFrames);
  };
  const fields: [string, string][] = [['', 'nothing'], ...model.fields.map((f): [string, string] => [f.name, f.unit ? `${f.name}, ${f.unit}` : f.name])];
  const low = el('input', { type: 'number', step: 'any', 'aria-label': 'lowest value', placeholder: 'auto', value: parts.range?.[0] ?? '' });
  const high = el('input', { type: 'number', step: 'any', 'aria-label': 'highest value', placeholder: 'auto', value: parts.range?.[1] ?? '' });
  low.onchange = high.onchange = () => parts.setRange(low.value !== '' && high.value !== '' ? [Number(low.value), Number(high.value)] : null);
  const colours = section('Bodies', true,
    row('colour by', choice('colour by', fields, look.field?.name ?? '', parts.setField)),
    row('scale', low, high),
    row('trails', choice('trails', [['none', 'none'], ['short', `last ${TRAIL} frames`], ['all', 'since the start']], look.trails, (v) => set('trails')(v as Look['trails']))),
    row('walls', choice('walls', [['solid', 'solid'], ['glass', 'glass'], ['hidden', 'hidden']], look.walls, (v) => set('walls')(v as Look['walls']))),
    el('div', { className: 'checks' }, check('edges', look.edges, set('edges')),
      ...(model.about.joints.length ? [check('joints', look.joints, set('joints'))] : [])),
    ...(model.rest ? [slider('deformation', Math.log10(look.magnify), 0, 4, 0.05, (x) => `\u00d7${Math.round(10 ** x)}`, (x) => set('magnify')(10 ** x))] : []));
  const force = choice('size of chains', [['impulse', 'impulses, N s'], ['force', 'mean forces, N']], parts.isForce() ? 'force' : 'impulse', (v) => parts.setForce(v === 'force'));
  // In N s, or N: as contacts are told.
  const per = parts.isForce() && model.h > 0 ? model.h : 1;
  const widest = el('input', { type: 'number', min: 0, step: 'any', 'aria-label': 'widest chain', placeholder: 'auto', value: look.widest ? look.widest / per : '' });
  widest.onchange = () => set('widest')(Math.max(0, Number(widest.value)) * per);
  const contacts = section('Contacts', true,
    el('div', { className: 'checks' }, check('force chains', look.chains, set('chains', true)), check('points', look.points, set('points', true)),
      check('normals', look.normals, set('normals', true)), check('open ones', look.open, set('open'))),
    row('coloured by', choice('contacts coloured by', [['status', 'status'], ['residual', 'residual, m/s'], ['penetration', 'penetration, m']],
      look.contactColour, (v) => set('contactColour', true)(v as Look['contactColour']))),
    row('told as', force),
    slider('width', look.chainWidth, 0.1, 4, 0.1, (x) => `\u00d7${x.toFixed(1)}`, set('chainWidth')),
    row('widest', widest),
    slider('threshold', look.threshold, 0, 1, 0.01, (x) => `${Math.round(100 * x)} %`, set('threshold')));
  const view = section('View', false,
    ...(has3 ? [el('div', { className: 'buttons' }, ...Object.keys(PRESETS).map((name, i) => el('button', { title: `key ${i + 1}`, onclick: () => parts.preset(name) }, name))),
      el('div', { className: 'checks' }, check('orthographic', look.orthographic, set('orthographic')))]
      : [el('div', { className: 'buttons' }, el('button', { title: 'key 1', onclick: () => parts.preset('front') }, 'all of it'))]),
    row('cut across', choice('cut across', [['-1', 'nothing'], ['0', 'x'], ['1', 'y'], ...(has3 ? [['2', 'z'] as [string, string]] : [])], String(look.clipAxis),
      (v) => set('clipAxis')(Number(v) as Look['clipAxis']))),
    slider('cut at', look.clipAt, -0.05, 1.05, 0.005, (x) => `${Math.round(100 * x)} %`, set('clipAt')),
    el('div', { className: 'checks' }, check('other side', look.flip, set('flip')), check('labels on PNG and film', look.labels, set('labels'))));
  return el('div', { className: 'side' }, colours, contacts, view,
    section('Picked', true, parts.inspector, el('div', { className: 'buttons' },
      el('button', { onclick: parts.plotPicked }, 'plot over time'), el('button', { onclick: parts.unpick }, 'clear'))),
    section('Certificate', false, parts.certificate));
}
