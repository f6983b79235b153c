// Series of the run beside the picture: a line at the time that is shown, a click goes there.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { categoryColour } from './palette';
import { digits, el } from './dom';
import type { Pack } from './pack';
import { nearestIndex } from './times';

interface Chart {
  name: string;
  unit: string;
  log?: boolean;
  note?: string;
  time: ArrayLike<number>;
  lines: [string, ArrayLike<number>][];
}

const nonzero = (numbers: ArrayLike<number>) => Array.prototype.some.call(numbers, (x: number) => x !== 0);

// Room for the longest label of an axis, in pixels: 7 a character of its font.
const labelWidth = (_: uPlot, labels: string[] | null) => 20 + 7 * Math.max(4, ...(labels ?? []).map((label) => label.length));

function chartsOf(series: Pack): Chart[] {
  const column = (name: string) => series.arrays.get(name)?.numbers;
  const time = column('time')!;
  const pick = (names: string[]): [string, ArrayLike<number>][] =>
    names.filter((n) => column(n)).map((n) => [n.split('.').pop()!, column(n)!]);
  const charts: Chart[] = [
    { name: 'energy', unit: 'J', time, lines: [...series.arrays.keys()].filter((n) => n.startsWith('energy.') && nonzero(column(n)!))
      .map((n) => [n.slice(7), column(n)!]) },
    { name: 'residual', unit: 'm/s', log: true, time, lines: pick(['solver.residual_rms', 'solver.residual_max']) },
    { name: 'penetration', unit: 'm', time, lines: pick(['solver.penetration', 'solver.penetration_solver']) },
    { name: 'sweeps', unit: '', note: 'since the frame before', time, lines: pick(['solver.iterations']) },
    { name: 'contacts', unit: '', time, lines: pick(['count.contacts', 'count.bodies']) },
  ];
  const values = series.arrays.get('measure.values'), measureTime = column('measure.time');
  if (values && measureTime)
    (series.about.measures as string[]).forEach((name, k) => charts.push({ name, unit: series.about.measure_units?.[k] ?? '', time: measureTime,
      lines: [[name, Array.from({ length: values.count }, (_, i) => values.numbers[i * values.width + k])]] }));
  return charts.filter((chart) => chart.lines.length > 0);
}

export class Plots {
  readonly element = el('div', { className: 'plots' });
  chosen = 'energy';
  now = 0;
  private tabs = el('div', { className: 'tabs' });
  private holder = el('div', { className: 'chart' });
  private legend = el('div', { className: 'lines' });
  private chart?: Chart;
  private plot?: uPlot;
  private charts: Chart[] = [];
  private extra: Chart[] = [];

  constructor(private go: (time: number) => void) {
    this.element.append(this.tabs, this.holder, this.legend);
    new ResizeObserver(() => this.plot?.setSize(this.size())).observe(this.holder);
  }

  setSeries(series: Pack) {
    this.charts = chartsOf(series);
    this.build();
  }

  /** Series of what is picked; they come after the others, and are shown. */
  setPicked(charts: Chart[]) {
    this.extra = charts;
    if (charts.length) this.chosen = charts[0].name;
    this.build();
  }

  setTime(time: number) {
    this.now = time;
    this.plot?.redraw(false);
    this.tell();
  }

  private size() {
    return { width: Math.max(120, this.holder.clientWidth), height: Math.max(50, this.holder.clientHeight) };
  }

  /** Names, colours and values: those under the pointer, else those of the time that is shown. */
  private tell() {
    const { chart } = this;
    this.legend.replaceChildren();
    if (!chart) return;
    const pointed = this.plot?.cursor.idx, at = pointed ?? nearestIndex(chart.time, this.now);
    this.legend.append(el('span', {}, `t = ${digits(chart.time[at], 5)} s`), ...chart.lines.map(([name, numbers], i) =>
      el('span', {}, el('i', { style: `background: ${categoryColour(i)}` }), `${name} `, el('b', {}, `${digits(numbers[at])} ${chart.unit}`))));
    if (chart.note) this.legend.append(el('span', {}, chart.note));
  }

  build() {
    const all = [...this.extra, ...this.charts];
    const chart = (this.chart = all.find((c) => c.name === this.chosen) ?? all[0]);
    this.tell(); // before the plot is made: it takes the room that is left
    this.tabs.replaceChildren(...all.map((c) => el('button', { 'aria-pressed': String(c === chart), onclick: () => {
      this.chosen = c.name;
      this.build();
    } }, c.name)));
    this.plot?.destroy();
    this.plot = undefined;
    this.holder.replaceChildren();
    if (!chart) return;
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue('--soft'), grid = { stroke: style.getPropertyValue('--line'), width: 1 };
    const accent = style.getPropertyValue('--accent');
    const axis = { stroke: ink, grid, ticks: grid, font: '11px system-ui', space: 24, values: (_: uPlot, v: (number | null)[]) => v.map((x) => x === null ? '' : String(Number(x.toPrecision(6)))) };
    this.plot = new uPlot({
      ...this.size(),
      legend: { show: false },
      series: [{ label: 't, s' }, ...chart.lines.map(([label], i) => ({ label, stroke: categoryColour(i), width: 1.4, points: { show: false } }))],
      scales: { x: { time: false }, y: chart.log ? { distr: 3 } : {} },
      axes: [{ ...axis, size: 26, space: 60 }, { ...axis, size: labelWidth }],
      cursor: { drag: { x: true, y: false }, points: { size: 5 } },
      hooks: { setCursor: [() => this.tell()], draw: [(u: uPlot) => {
        const x = u.valToPos(this.now, 'x', true), { top, height, left, width } = u.bbox;
        if (x < left || x > left + width) return;
        u.ctx.fillStyle = accent;
        u.ctx.fillRect(x - 1, top, 2, height);
      }] },
    }, [Array.from(chart.time), ...chart.lines.map(([, v]) => Array.from(v, (x) => (Number.isFinite(x) && (!chart.log || x > 0) ? x : null)))] as uPlot.AlignedData, this.holder);
    this.plot.over.addEventListener('click', (event) => {
      if (this.plot!.select.width > 2) return;
      this.go(this.plot!.posToVal(event.offsetX, 'x'));
    });
  }
}
