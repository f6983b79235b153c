// What the run says of itself: of this frame, of all of it, and where it was worst.
import { digits, el, values } from './dom';
import { worstContact } from './contact_check';
import { measureOf, type ContactMeasure, type Frame } from './frame';
import type { Pack } from './pack';

export class Certificate {
  readonly element = el('div');
  private series?: Pack;

  constructor(private goWorst: (frame: number, measure: ContactMeasure) => void) {}

  setSeries(series: Pack) {
    this.series = series;
  }

  show(frame: Frame | undefined) {
    const { series } = this;
    if (!series || !frame) return;
    const at = (name: string) => series.arrays.get(name)?.numbers[frame.number];
    const rows: [string, string][] = [];
    const put = (label: string, name: string, unit: string) => {
      const value = at(name);
      if (value !== undefined) rows.push([label, `${digits(value, 3)} ${unit}`]);
    };
    put('residual, largest', 'solver.residual_max', 'm/s');
    put('residual, rms', 'solver.residual_rms', 'm/s');
    put('tolerance', 'solver.tolerance', 'm/s');
    put('penetration', 'solver.penetration', 'm');
    put('steps not converged', 'solver.unconverged_steps', '');
    put('momentum, relative', 'solver.momentum', '');
    put('energy, relative', 'solver.energy_defect', '');
    this.element.replaceChildren(...this.whole(), el('p', { className: 'hint' }, 'Steps since the frame before:'), values(rows), this.buttons(frame));
  }

  private whole(): Node[] {
    const about = this.series!.about, sum = (name: string) => {
      const numbers = this.series!.arrays.get(name)?.numbers;
      return numbers ? (numbers as Float64Array).reduce((a, b) => a + b, 0) : undefined;
    };
    const missed = sum('solver.unconverged_steps'), steps = sum('solver.steps');
    const state = about.failure ? `failed: ${about.failure}` : about.finished ? 'finished' : 'not finished';
    const parts: Node[] = [el('p', { className: about.failure ? 'bad' : '' }, `Run ${state}${steps !== undefined && about.frames === about.frames_of_run
      ? `; ${missed} of ${steps} steps missed their tolerance` : ''}.`)];
    const summary = about.summary;
    if (summary?.warnings?.length) parts.push(el('p', { className: 'bad' }, summary.warnings.join(' ')));
    if (about.frames < about.frames_of_run)
      parts.push(el('p', { className: 'hint' }, `${about.frames} of the ${about.frames_of_run} frames of the run are in this page.`));
    return parts;
  }

  private worstFrame(name: string): number {
    const numbers = this.series!.arrays.get(name)?.numbers;
    let worst = -1;
    for (let i = 0; numbers && i < numbers.length; i++) if (worst < 0 || numbers[i] > numbers[worst]) worst = i;
    return worst;
  }

  private buttons(frame: Frame): HTMLElement {
    const box = el('div', { className: 'buttons' }), time = this.series!.arrays.get('time')!.numbers;
    const add = (measure: ContactMeasure, name: string, unit: string) => {
      const when = this.worstFrame(name), here = worstContact(frame.contacts, measure);
      if (when >= 0) box.append(el('button', { onclick: () => this.goWorst(when, measure) }, `worst ${measure}: t = ${digits(time[when], 4)} s`));
      if (here >= 0)
        box.append(el('button', { onclick: () => this.goWorst(frame.number, measure) },
          `largest ${measure} here: ${digits(measureOf(frame.contacts!, measure, here)!, 3)} ${unit}`));
    };
    add('residual', 'solver.residual_max', 'm/s');
    add('penetration', 'solver.penetration', 'm');
    return box;
  }
}
