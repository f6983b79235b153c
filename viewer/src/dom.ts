// Small pieces of the page.

type Child = Node | string;

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Record<string, any> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on') || name in made) (made as any)[name] = value;
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

export function row(label: string, ...children: Child[]): HTMLDivElement {
  return el('div', { className: 'row' }, el('span', {}, label), ...children);
}

export function choice(label: string, options: [string, string][], value: string, change: (value: string) => void) {
  // Who chooses with the pointer wants the keys of the page back afterwards; who came here by the keyboard stays.
  let pointed = false;
  const select = el('select', { 'aria-label': label, onpointerdown: () => (pointed = true), onkeydown: () => (pointed = false), onchange: () => {
    if (pointed) select.blur();
    change(select.value);
  } }, ...options.map(([key, text]) => el('option', { value: key }, text)));
  select.value = value;
  return select;
}

export function check(label: string, value: boolean, change: (value: boolean) => void): HTMLLabelElement {
  const box = el('input', { type: 'checkbox', checked: value, onchange: () => change(box.checked) });
  return el('label', {}, box, label);
}

export function slider(label: string, value: number, low: number, high: number, step: number,
                       show: (x: number) => string, change: (value: number) => void): HTMLDivElement {
  const output = el('output', {}, show(value));
  const input = el('input', { type: 'range', min: low, max: high, step, 'aria-label': label, oninput: () => {
    output.value = show(Number(input.value));
    change(Number(input.value));
  } });
  input.value = String(value);
  return row(label, input, output);
}

export function section(title: string, open: boolean, ...children: Child[]): HTMLDetailsElement {
  return el('details', { open }, el('summary', {}, title), ...children);
}

export function values(rows: [string, string][]): HTMLTableElement {
  return el('table', { className: 'values' }, ...rows.map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', {}, value))));
}

/** Whether an element that has the focus needs this key itself: text all of them, sliders those that move them. */
export function takesKey(target: HTMLElement, key: string): boolean {
  if (target.tagName === 'TEXTAREA' || target.tagName === 'SELECT') return true;
  if (target.tagName !== 'INPUT') return false;
  const { type } = target as HTMLInputElement;
  if (type === 'range') return /^(Arrow|Home$|End$|Page)/.test(key);
  return type === 'checkbox' ? key === ' ' : true;
}

/** A number as people read it: 4 digits, a power of ten where it is far from 1. */
export function digits(x: number | undefined, count = 4): string {
  if (x === undefined || Number.isNaN(x)) return '\u2013';
  if (x === 0 || !Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  return size >= 1e5 || size < 1e-3 ? x.toExponential(count - 1) : String(Number(x.toPrecision(count)));
}

export function vector(v: ArrayLike<number>, begin: number, dimension: number, unit: string): string {
  return Array.from({ length: dimension }, (_, k) => digits(v[begin + k], 3)).join(', ') + ' ' + unit;
}
