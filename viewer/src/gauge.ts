// How long things are and which way the axes go, in a corner of the picture.
import { el } from './dom';

const WIDTH = 132, HEIGHT = 84, ARM = 26; // px
const AXES = ['#c0392b', '#2e8b57', '#2f6fd0'], AXES_DARK = ['#ff7b6b', '#63d297', '#79a9ff'];

/** 1, 2 or 5 times a power of ten, at most `most`. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9), digit = most / power + 1e-9;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}

/** Metres as people say them. */
export function lengthText(length: number): string {
  const [unit, per] = length >= 1000 ? ['km', 1000] : length >= 1 ? ['m', 1] : length >= 0.01 ? ['cm', 0.01] : length >= 1e-3 ? ['mm', 1e-3] : ['\u00b5m', 1e-6];
  return `${Number((length / per).toPrecision(3))} ${unit}`;
}

export interface Seen {
  scale: number; // px per metre in the middle of the picture
  toView?: ArrayLike<number>; // matrix of the camera, columns first; in space only
  dark: boolean;
}

export class Gauge {
  readonly element = el('div', { className: 'gauge' });
  length = 0; // m, of the bar
  private canvas = el('canvas');
  private shown = '';

  constructor() {
    this.element.append(this.canvas);
    Object.assign(this.canvas.style, { width: `${WIDTH}px`, height: `${HEIGHT}px` });
  }

  show(seen: Seen) {
    if (!(seen.scale > 0) || !Number.isFinite(seen.scale)) return;
    const key = [seen.scale, seen.dark, ...(seen.toView ? Array.from(seen.toView).slice(0, 11) : [])].join();
    if (key === this.shown) return;
    this.shown = key;
    const ratio = Math.min(2, window.devicePixelRatio), context = this.canvas.getContext('2d')!;
    [this.canvas.width, this.canvas.height] = [WIDTH * ratio, HEIGHT * ratio];
    context.scale(ratio, ratio);
    context.font = '12px system-ui, sans-serif';
    context.textAlign = 'center';
    this.drawBar(context, seen);
    if (seen.toView) this.drawAxes(context, seen.toView, seen.dark);
  }

  private drawBar(context: CanvasRenderingContext2D, { scale, dark }: Seen) {
    this.length = roundLength((WIDTH - 12) / scale);
    const width = this.length * scale, right = WIDTH - 4, base = HEIGHT - 6;
    context.strokeStyle = context.fillStyle = dark ? '#e6e8eb' : '#22262c';
    context.lineWidth = 1.4;
    context.beginPath();
    for (const x of [right - width, right]) {
      context.moveTo(x, base - 4);
      context.lineTo(x, base + 4);
    }
    context.moveTo(right - width, base);
    context.lineTo(right, base);
    context.stroke();
    context.fillText(lengthText(this.length), right - Math.max(width, 36) / 2, base - 7);
  }

  // Those that point away first.
  private drawAxes(context: CanvasRenderingContext2D, m: ArrayLike<number>, dark: boolean) {
    const x0 = WIDTH - 40, y0 = 32, axes = [0, 1, 2].map((k) => ({ k, x: m[4 * k], y: -m[4 * k + 1], depth: m[4 * k + 2] }));
    axes.sort((a, b) => a.depth - b.depth);
    context.lineWidth = 2;
    context.textBaseline = 'middle';
    for (const { k, x, y } of axes) {
      context.strokeStyle = context.fillStyle = (dark ? AXES_DARK : AXES)[k];
      context.beginPath();
      context.moveTo(x0, y0);
      context.lineTo(x0 + 0.75 * ARM * x, y0 + 0.75 * ARM * y);
      context.stroke();
      context.fillText('xyz'[k], x0 + ARM * x, y0 + ARM * y);
    }
  }
}
