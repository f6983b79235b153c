// Frames fetched ahead and dropped behind: what is held never exceeds a number of bytes.
import type { Frame } from './frame';
import type { Source, Wish } from './source';

const MOST_BYTES = 384e6, AHEAD = 12, AT_ONCE = 2;

export class FrameCache {
  wish: Wish = { field: null, contacts: false, motion: false };
  length = 0;
  bytes = 0;
  private held = new Map<number, Frame>();
  private coming = new Map<number, Promise<Frame>>();
  private era = 0;

  constructor(private source: Source) {}

  setWish(wish: Wish) {
    if (JSON.stringify(wish) === JSON.stringify(this.wish)) return;
    this.wish = wish;
    this.clear();
  }

  clear() {
    this.held.clear();
    this.coming.clear();
    this.bytes = 0;
    this.era++;
  }

  peek(number: number): Frame | undefined {
    return this.held.get(number);
  }

  get(number: number): Promise<Frame> {
    const known = this.held.get(number);
    if (known) return Promise.resolve(known);
    const running = this.coming.get(number);
    if (running) return running;
    const era = this.era;
    const promise = this.source.frame(number, this.wish).then((frame) => {
      if (era === this.era) {
        this.coming.delete(number);
        this.held.set(number, frame);
        this.bytes += frame.bytes;
      }
      return frame;
    }, (error) => {
      if (era === this.era) this.coming.delete(number);
      throw error;
    });
    this.coming.set(number, promise);
    return promise;
  }

  /** Asks for the frames that come next and drops those that are furthest from them. */
  prepare(now: number, direction: 1 | -1) {
    for (let k = 1; k <= AHEAD && this.coming.size < AT_ONCE; k++) {
      const next = now + direction * k;
      if (next < 0 || next >= this.length) break;
      if (this.bytes > MOST_BYTES * 0.8 && k > 2) break;
      if (!this.held.has(next) && !this.coming.has(next)) this.get(next).catch(() => {});
    }
    if (this.bytes <= MOST_BYTES) return;
    // Frames behind count twice as far as frames ahead.
    const distance = (n: number) => ((n - now) * direction < 0 ? 2 : 1) * Math.abs(n - now);
    for (const number of [...this.held.keys()].sort((a, b) => distance(b) - distance(a))) {
      if (this.bytes <= MOST_BYTES * 0.7 || number === now) break;
      this.bytes -= this.held.get(number)!.bytes;
      this.held.delete(number);
    }
  }
}
