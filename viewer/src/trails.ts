// Paths of bodies: the places of earlier frames, fetched where they are not at hand.
import type { FrameCache } from './cache';
import type { Source } from './source';

export const TRAIL = 40; // frames of a short trail
export const MOST_TRAILS = 3000; // bodies: more cannot be told apart
const MOST_POINTS = 200, MOST_HELD = 1000; // frames

/** Earlier frames a trail goes through. A long one is thinned by the length of the file, so that the same frames serve while it plays. */
export function trailFrames(now: number, length: number, sinceStart: boolean): { numbers: number[]; stride: number } {
  const stride = sinceStart ? Math.max(1, Math.ceil(length / MOST_POINTS)) : 1, numbers: number[] = [];
  for (let n = sinceStart ? 0 : Math.max(0, now - TRAIL); n < now; n += stride) numbers.push(n);
  return { numbers, stride };
}

/** Of one body (`row`), 4 numbers a frame; of all (row -1), the whole frame's. */
export const placesOf = (place: Float32Array, row: number) => (row < 0 ? place : place.slice(4 * row, 4 * row + 4));

export class Trails {
  private held = new Map<number, Float32Array>();
  private row = -1;
  private wanted: number[] = [];
  private reading?: Promise<void>;

  constructor(private source: Source, private cache: FrameCache, private onRead: () => void) {}

  clear() {
    this.held.clear();
  }

  private find(number: number): Float32Array | undefined {
    const known = this.held.get(number), seen = known ? undefined : this.cache.peek(number);
    if (seen) this.held.set(number, placesOf(seen.place, this.row));
    return this.held.get(number);
  }

  /** Places in those of these frames that are here; the others are fetched, and `onRead` is called when all are. */
  get(numbers: number[], row: number): Float32Array[] {
    if (row !== this.row) this.clear();
    [this.row, this.wanted] = [row, numbers];
    const here = numbers.map((n) => this.find(n)).filter((place) => place !== undefined);
    if (here.length < numbers.length && !this.reading) this.reading = this.read().catch(() => {}).finally(() => (this.reading = undefined));
    return here;
  }

  /** When the trail that was asked for last is whole. */
  async ready() {
    await this.reading;
  }

  // What is wanted may change meanwhile: always the newest that the trail of now lacks.
  private async read() {
    for (;;) {
      const next = this.wanted.filter((n) => !this.find(n)).pop(), { row } = this;
      if (next === undefined) break;
      const { place } = await this.source.frame(next, { field: null, contacts: false, motion: false });
      if (row === this.row) this.held.set(next, placesOf(place, row));
      if (this.held.size > MOST_HELD) this.dropUnwanted();
    }
    this.onRead();
  }

  private dropUnwanted() {
    const wanted = new Set(this.wanted);
    for (const number of this.held.keys()) if (!wanted.has(number)) this.held.delete(number);
  }
}
