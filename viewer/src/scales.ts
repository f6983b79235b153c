// Scales of colours and chains: of frames spread evenly over the file. Which frames were looked at before changes nothing, so that the
// same address is the same picture.
import type { ContactMeasure } from './frame';
import type { Source, Wish } from './source';

const MOST = 64, LEAST = 8, MOST_ROWS = 1e6; // frames; rows of bodies read for one scale

/** Numbers of the frames a scale is made of. Of a run that goes on the scale is made anew when its frames have doubled. */
export function sampledFrames(frames: number, finished: boolean, rows: number): number[] {
  const length = finished || frames < 1 ? frames : 2 ** Math.floor(Math.log2(frames));
  const count = Math.min(length, Math.max(LEAST, Math.min(MOST, Math.floor(MOST_ROWS / Math.max(1, rows)))));
  return Array.from({ length: count }, (_, i) => (count > 1 ? Math.round((i * (length - 1)) / (count - 1)) : 0));
}

/** The impulse of the widest chain: as in `saltus render`, one shock does not make the chains of all other frames invisible. */
export function strongestOf(maxima: number[]): number {
  const sorted = [...maxima].sort((a, b) => a - b), last = sorted.length - 1;
  return sorted[Math.floor((last * 9) / 10)] || sorted[last] || 0;
}

/** Ends of a scale of colours: signed ones even about zero, others from zero unless all is far from it. */
export function roundRange([low, high]: [number, number], signed: boolean): [number, number] {
  const most = Math.max(Math.abs(low), Math.abs(high));
  return signed ? [-most, most] : [low > 0 && low < 0.5 * high ? 0 : low, high];
}

export class Scales {
  private frames: number[] = [];
  private key = '';
  private ranges = new Map<string, [number, number] | null>();
  private strongest?: number;
  private largest?: Record<ContactMeasure, number>;
  private running = new Map<string, Promise<void>>();

  /** `onKnown` is called when a scale that was asked for is there. */
  constructor(private source: Source, private onKnown: () => void) {}

  setFrames(frames: number, finished: boolean, rows: number) {
    this.frames = sampledFrames(frames, finished, rows);
    const key = this.frames.join();
    if (key === this.key) return;
    this.key = key;
    this.running.clear();
    this.ranges.clear();
    this.strongest = this.largest = undefined;
  }

  get count() {
    return this.frames.length;
  }

  /** Lowest and highest value of a field; undefined while it is being read, null where there is none. */
  rangeOf(field: string): [number, number] | null | undefined {
    if (!this.ranges.has(field)) this.read(field);
    return this.ranges.get(field);
  }

  /** Impulse of the widest chain, N s; undefined while it is being read. */
  widest(): number | undefined {
    if (this.strongest === undefined) this.read(null);
    return this.strongest;
  }

  /** The largest residual or penetration of a contact; undefined while it is being read. */
  largestOf(measure: ContactMeasure): number | undefined {
    if (!this.largest) this.read(null);
    return this.largest?.[measure];
  }

  /** When all that was asked for is there. */
  async ready() {
    await Promise.all(this.running.values());
  }

  private read(field: string | null) {
    const name = field ?? '';
    if (!this.frames.length || this.running.has(name)) return;
    this.running.set(name, this.readAll(field, this.key).catch(() => {}).finally(() => this.running.delete(name)));
  }

  // One frame after the other: those that are shown come in between.
  private async readAll(field: string | null, key: string) {
    const wish: Wish = { field, contacts: field === null, motion: false }, maxima: number[] = [];
    const largest = { residual: 0, penetration: 0 };
    let low = Infinity, high = -Infinity;
    for (const number of this.frames) {
      const frame = await this.source.frame(number, wish);
      if (key !== this.key) return;
      maxima.push(frame.contacts?.strongest ?? 0);
      for (const measure of ['residual', 'penetration'] as const) largest[measure] = Math.max(largest[measure], frame.contacts?.largest[measure] ?? 0);
      if (frame.range) [low, high] = [Math.min(low, frame.range[0]), Math.max(high, frame.range[1])];
    }
    if (field === null) [this.strongest, this.largest] = [strongestOf(maxima), largest];
    else this.ranges.set(field, low <= high ? [low, high] : null);
    this.onKnown();
  }
}
