// Where frames come from: the program that serves this page, or the page itself.
import type { Frame, FrameModel } from './frame';
import { readPack, type Pack } from './pack';
import type { Probed, ProbeWish } from './probe';
import type { Place, Request } from './worker';
import FrameWorker from './worker?worker&inline';

export interface Wish {
  field: string | null;
  contacts: boolean;
  motion: boolean;
}

export interface RunState {
  frames: number;
  finished: boolean;
  revision: number;
}

type Task = Request extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never;

export class Source {
  readonly embedded = document.getElementById('saltus-model') !== null;
  private worker = new FrameWorker();
  private waiting = new Map<number, { done: (result: any) => void; failed: (error: Error) => void }>();
  private last = 0;

  constructor() {
    this.worker.onmessage = ({ data }) => {
      const { done, failed } = this.waiting.get(data.id)!;
      this.waiting.delete(data.id);
      if (data.error) failed(new Error(data.error));
      else done(data.result);
    };
    this.worker.onerror = (event) => {
      for (const { failed } of this.waiting.values()) failed(new Error(event.message || 'this browser runs no worker here'));
      this.waiting.clear();
    };
  }

  private ask<T>(task: Task): Promise<T> {
    const id = ++this.last;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.worker.postMessage({ id, ...task });
    });
  }

  private place(name: string, query = ''): Place {
    if (!this.embedded) return { url: new URL(name + query, location.href.split('#')[0]).href };
    const script = document.getElementById(`saltus-${name.replace('/', '-')}`)!;
    return { text: script.textContent!, size: Number(script.dataset.size) };
  }

  async pack(name: 'model' | 'series'): Promise<Pack> {
    return readPack(await this.ask<ArrayBuffer>({ kind: 'bytes', place: this.place(name) }));
  }

  setModel(model: FrameModel): Promise<void> {
    return this.ask({ kind: 'model', model });
  }

  async frame(number: number, wish: Wish): Promise<Frame> {
    const query = new URLSearchParams();
    if (wish.motion) query.set('motion', '1');
    if (wish.contacts) query.set('contacts', '1');
    if (wish.field) query.set('field', wish.field);
    const frame = await this.ask<Frame>({ kind: 'frame', place: this.place(`frame/${number}`, `?${query}`), field: wish.field });
    frame.number = number; // a page may hold every second one: they count as they are here
    return frame;
  }

  /** Numbers of one body or node. */
  probe(number: number, wish: ProbeWish): Promise<Probed> {
    const query = new URLSearchParams(wish.fields.map((name) => ['field', name]));
    if (wish.kind === 'body') query.set('motion', '1');
    return this.ask({ kind: 'probe', place: this.place(`frame/${number}`, `?${query}`), wish });
  }

  /** Null for a page from disk: it does not grow. */
  async state(): Promise<RunState | null> {
    return this.embedded ? null : (await fetch(new URL('state', location.href.split('#')[0]))).json();
  }
}
