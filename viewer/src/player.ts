// Which frame is shown, and when the next one is.
import type { FrameCache } from './cache';
import { choice, digits, el } from './dom';
import type { Frame } from './frame';
import { nearestIndex } from './times';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Player {
  readonly element = el('div', { className: 'time' });
  now = 0;
  playing = false;
  loop = true;
  speed = 1; // of real time
  direction: 1 | -1 = 1;
  times: ArrayLike<number> = [];
  onShow = (_frame: Frame) => {};
  onError = (_message: string) => {};
  private slider = el('input', { type: 'range', min: 0, max: 0, step: 1, 'aria-label': 'frame', oninput: () => this.go(Number(this.slider.value)) });
  private text = el('span', { className: 'now' });
  private playButton = el('button', { title: 'Play or pause (space)', onclick: () => this.toggle() }, '\u25b6');
  private loopButton = el('button', { title: 'Loop (L)', onclick: () => this.setLoop(!this.loop) }, '\u21bb');
  private speedSelect = choice('speed', SPEEDS.map((s): [string, string] => [String(s), `${s}\u00d7`]), '1', (value) => (this.speed = Number(value)));
  private clock = 0;
  private time = 0;
  private running: Promise<void> | null = null;
  private wanted: number | null = null;

  constructor(private cache: FrameCache) {
    const button = (text: string, title: string, go: () => void) => el('button', { title, onclick: go }, text);
    this.element.append(button('|\u25c0', 'First frame (Home)', () => this.go(0)), button('\u25c1', 'Step back (left)', () => this.step(-1)),
      this.playButton, button('\u25b7', 'Step (right)', () => this.step(1)), button('\u25b6|', 'Last frame (End)', () => this.go(this.last)),
      this.slider, this.text, this.speedSelect, this.loopButton);
    this.speedSelect.title = 'Speed, of real time ([ and ])';
    this.setLoop(true);
  }

  get last() {
    return this.times.length - 1;
  }

  setTimes(times: ArrayLike<number>) {
    this.times = times;
    this.cache.length = times.length;
    this.slider.max = String(Math.max(0, this.last));
    this.label();
  }

  setLoop(loop: boolean) {
    this.loop = loop;
    this.loopButton.setAttribute('aria-pressed', String(loop));
  }

  changeSpeed(by: 1 | -1) {
    const at = Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(this.speed) + by));
    this.speed = SPEEDS[at];
    this.speedSelect.value = String(this.speed);
  }

  toggle(playing = !this.playing) {
    if (playing && this.now >= this.last) this.go(0);
    this.playing = playing;
    this.playButton.textContent = playing ? '\u275a\u275a' : '\u25b6';
    this.clock = performance.now();
    this.time = this.times[this.now] ?? 0;
  }

  step(by: number) {
    this.toggle(false);
    this.go(this.now + by);
  }

  /** The nearest frame in time. */
  frameAt(time: number): number {
    return nearestIndex(this.times, time);
  }

  goTime(time: number) {
    this.go(this.frameAt(time));
  }

  /** Shows a frame as soon as it is here; of several that are asked for meanwhile, the last. Done when that one is shown. */
  go(number: number): Promise<void> {
    if (this.last < 0) return Promise.resolve();
    number = Math.min(this.last, Math.max(0, Math.round(number)));
    if (number !== this.now) this.direction = number > this.now ? 1 : -1;
    this.now = number;
    this.time = this.times[number];
    this.label();
    this.wanted = number;
    this.running ??= this.showWanted().finally(() => (this.running = null));
    return this.running;
  }

  private async showWanted() {
    try {
      while (this.wanted !== null) {
        const next: number = this.wanted;
        this.wanted = null;
        const frame = await this.cache.get(next);
        this.onShow(frame);
        this.cache.prepare(next, this.direction);
      }
    } catch (error) {
      this.onError((error as Error).message);
    }
  }

  /** Called before every picture. */
  tick() {
    if (!this.playing || this.running) {
      if (this.running) this.clock = performance.now(); // time does not run while a frame is on its way
      return;
    }
    const clock = performance.now();
    this.time += ((clock - this.clock) / 1000) * this.speed;
    this.clock = clock;
    let next = this.now;
    while (next < this.last && this.times[next + 1] <= this.time) next++;
    if (next === this.now && this.now < this.last) return;
    if (this.now >= this.last) {
      if (!this.loop) return this.toggle(false);
      next = 0;
    }
    const time = this.time;
    this.go(next);
    if (next > 0) this.time = time; // not back to the time of the frame: speeds stay true
  }

  private label() {
    this.slider.value = String(this.now);
    this.text.textContent = `t = ${digits(this.times[this.now], 5)} s  (${this.now} of ${this.last})`;
  }
}
