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

export function buildLegend({ look, model, forces, widest, trails, frames, byHand }: LegendParts): Node[] {
  const { field } = look, parts: Node[] = [];
  if (field && field.category) parts.push(el('div', {}, field.name, ' ', ...field.categories.slice(0, 12).map((name, i) => key(categoryColour(i), name))));
  else if (field) {
    const stops = Array.from({ length: 11 }, (_, i) => scaleColour(i / 10, field.signed)).join(', ');
    parts.push(el('div', { title: byHand ? 'chosen' : `of ${frames} frames of the file` }, `${field.name}${field.unit ? `, ${field.unit}` : ''}`),
      el('div', { className: 'bar', style: `background: linear-gradient(90deg, ${stops})` }),
      el('div', { className: 'ends' }, el('span', {}, digits(look.range[0], 3)), el('span', {}, digits(look.range[1], 3))));
  }
  if (look.chains || look.points) {
    const { stick, slide } = statusColours(look.dark);
    const per = forces && model.h > 0 ? model.h : 1, unit = forces ? 'N' : 'N s';
    parts.push(el('div', {}, key(stick, 'stick'), key(slide, 'slide'), look.chains ? `widest ${digits(widest / per, 3)} ${unit}` : ''));
    if (look.chains && look.threshold > 0) parts.push(el('div', {}, `from ${digits((look.threshold * widest) / per, 3)} ${unit}`));
  }
  if (look.magnify > 1.01 && model.rest) parts.push(el('div', {}, `deformation \u00d7${digits(look.magnify, 3)}`));
  if (trails) parts.push(el('div', {}, trails));
  return parts;
}
