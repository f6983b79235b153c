// What colours and widths mean, in a corner of the picture.
import { digits, el } from './dom';
import type { Model } from './model';
import { categoryColour, scaleColour } from './palette';
import { statusColours, type Look } from './picture';

export interface LegendParts {
  look: Look;
  model: Model;
  forces: boolean;
  widest: number; // impulse of the widest chain, N s
  trails: string; // what is to be said of trails
  frames: number; // that scales are made of
  byHand: boolean; // the scale of colours is chosen
}

const key = (colour: string, text: string) => el('span', { className: 'key' }, el('i', { style: `background: ${colour}` }), text);

function scaleBar(name: string, range: [number, number], signed: boolean, title: string): Node[] {
  // A canvas: saved pictures take it over.
  const bar = el('canvas', { className: 'bar', width: 340, height: 1 }), context = bar.getContext('2d')!, colours = context.createLinearGradient(0, 0, 340, 0);
  for (let i = 0; i <= 10; i++) colours.addColorStop(i / 10, scaleColour(i / 10, signed));
  context.fillStyle = colours;
  context.fillRect(0, 0, 340, 1);
  return [el('div', { title }, name), bar,
    el('div', { className: 'ends' }, ...range.map((end) => el('span', {}, digits(end, 3))))];
}

export function buildLegend({ look, model, forces, widest, trails, frames, byHand }: LegendParts): Node[] {
  const { field } = look, parts: Node[] = [];
  if (field && field.category) parts.push(el('div', {}, field.name, ' ', ...field.categories.slice(0, 12).map((name, i) => key(categoryColour(i), name))));
  else if (field)
    parts.push(...scaleBar(`${field.name}${field.unit ? `, ${field.unit}` : ''}`, look.range, field.signed, byHand ? 'chosen' : `of ${frames} frames of the file`));
  if ((look.points || look.normals) && look.contactColour !== 'status')
    parts.push(...scaleBar(`${look.contactColour} of contacts, ${look.contactColour === 'residual' ? 'm/s' : 'm'}`, [0, look.contactRange], false, `of ${frames} frames of the file`));
  if (look.chains || (look.points && look.contactColour === 'status')) {
    const { stick, slide } = statusColours(look.dark);
    const per = forces && model.h > 0 ? model.h : 1, unit = forces ? 'N' : 'N s';
    parts.push(el('div', {}, key(stick, 'stick'), key(slide, 'slide'), look.chains ? `widest ${digits(widest / per, 3)} ${unit}` : ''));
    if (look.chains && look.threshold > 0) parts.push(el('div', {}, `from ${digits((look.threshold * widest) / per, 3)} ${unit}`));
  }
  if (look.magnify > 1.01 && model.rest) parts.push(el('div', {}, `deformation \u00d7${digits(look.magnify, 3)}`));
  if (trails) parts.push(el('div', {}, trails));
  return parts;
}
