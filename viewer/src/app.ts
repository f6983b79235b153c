// Puts the parts together: what is shown, what the controls change, what the address remembers.
import { FrameCache } from './cache';
import { Certificate } from './certificate';
import { digits, el } from './dom';
import type { Frame } from './frame';
import { findContact, Inspector, type Picked } from './inspector';
import { Model } from './model';
import type { Pack } from './pack';
import { categoryColour, scaleColour } from './palette';
import { buildPanel } from './panel';
import { Picture, PRESETS, type Look } from './picture';
import { pickAt, markOf } from './pick';
import { Player } from './player';
import { Plots } from './plots';
import { saveMovie, savePicture } from './record';
import { Source } from './source';
import { track } from './track';

const TRAIL = 40; // frames
const POLL = 1500; // ms between questions to a run that goes on

const HELP: [string, string][] = [['space', 'play, pause'], ['\u2190 \u2192', 'step; with shift ten frames'], ['Home End', 'first, last frame'], ['[ ]', 'slower, faster'],
  ['L', 'loop'], ['1 \u2026 7', 'cameras'], ['O', 'orthographic'], ['C P N', 'force chains, contact points, normals'], ['G', 'plots'], ['M', 'controls'], ['D', 'dark, light'],
  ['S', 'save a picture'], ['Esc', 'pick nothing'], ['?', 'this list']];

export class App {
  readonly look: Look;
  picture!: Picture;
  player: Player;
  cache: FrameCache;
  plots: Plots;
  picked: Picked | null = null;
  private model!: Model;
  private inspector!: Inspector;
  private certificate: Certificate;
  private range: [number, number] | null = null; // chosen by hand
  private strongest = 0;
  private holder = el('div', { className: 'picture' });
  private legend = el('div', { className: 'legend' });
  private message = el('div', { className: 'message', role: 'status' });
  private side!: HTMLElement;
  private help = el('dialog', {}, el('table', {}, ...HELP.map(([keys, what]) => el('tr', {}, el('td', {}, el('kbd', {}, keys)), el('td', {}, what)))),
    el('form', { method: 'dialog' }, el('button', {}, 'close')));
  private movie: 'no' | 'recording' | 'ending' = 'no';
  private state = { frames: 0, finished: true, revision: 0 };

  static async start(root: HTMLElement): Promise<App> {
    const app = new App(root, new Source());
    (window as any).saltusViewer = app; // for tests, and for those who like a console
    await app.load();
    return app;
  }

  private constructor(private root: HTMLElement, private source: Source) {
    const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    this.look = { field: null, range: [0, 1], magnify: 1, walls: 'solid', edges: true, chains: false, chainWidth: 0.6, threshold: 0.02, points: false,
      normals: false, open: false, joints: true, trails: false, clipAxis: -1, clipAt: 0.5, flip: false, orthographic: false, dark };
    this.cache = new FrameCache(source);
    this.player = new Player(this.cache);
    this.plots = new Plots((time) => this.player.goTime(time));
    this.certificate = new Certificate((frame) => this.player.go(frame), (contact) => this.pickContact(contact));
    this.player.onShow = (frame) => this.show(frame);
    this.player.onError = (text) => this.say(text);
  }

  private async load() {
    this.say('reading\u2026');
    const [model, series] = await Promise.all([this.source.pack('model'), this.source.pack('series')]);
    this.model = new Model(model);
    await this.source.setModel({ rows: this.model.rows, span: this.model.span, flags: this.model.flags, period: model.about.period });
    this.inspector = new Inspector(this.model);
    document.title = `${model.about.title || model.about.name} \u2013 saltus`;
    this.readLink();
    this.buildPage();
    this.picture = new Picture(this.holder, this.model, this.look);
    this.picture.onChange = () => this.writeLink();
    this.listen();
    this.setSeries(series);
    const state = await this.source.state();
    if (state) this.state = state;
    this.applyTheme();
    this.updateWish();
    this.say(series.about.frames ? '' : 'No frame yet.');
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.get('camera')) this.picture.setCameraState(link.get('camera')!.split(',').map(Number));
    await this.player.go(link.has('t') ? this.player.frameAt(Number(link.get('t'))) : 0);
    if (this.state && !this.state.finished) setTimeout(() => this.poll(), POLL);
    const turn = () => {
      requestAnimationFrame(turn);
      this.player.tick();
      this.picture.draw();
    };
    turn();
  }

  private setSeries(series: Pack) {
    this.player.setTimes(series.arrays.get('time')?.numbers ?? []);
    this.certificate.setSeries(series);
    this.plots.setSeries(series);
  }

  private buildPage() {
    const button = (text: string, title: string, click: () => void, className = '') => el('button', { title, className, onclick: click }, text);
    const { about } = this.model;
    this.side = this.makePanel();
    const narrow = window.innerWidth <= 720;
    if (narrow) [this.side, this.plots.element].forEach((e) => e.classList.add('hidden'));
    this.holder.append(this.legend, this.message);
    this.root.replaceChildren(
      el('div', { className: 'top' }, el('div', { className: 'title' }, about.name, el('small', {}, about.title ?? '')),
        button('plots', 'Plots (G)', () => this.plots.element.classList.toggle('hidden')), button('controls', 'Controls (M)', () => this.side.classList.toggle('hidden')),
        button('\u25d0', 'Dark or light (D)', () => this.toggleTheme()), button('link', 'Copy a link to this view', () => this.copyLink(), 'wide'),
        button('PNG', 'Save a picture (S)', () => this.savePicture()), button('film', 'Save a film of all frames', () => this.saveMovie()),
        button('?', 'Keys', () => this.help.showModal(), 'wide')),
      this.holder, this.side, this.plots.element, this.player.element, this.help);
  }

  say(text: string) {
    this.message.textContent = text;
  }

  // Frames hold what is shown of them, and no more.
  private updateWish() {
    const { look } = this, picked = this.picked?.kind;
    this.cache.setWish({ field: look.field?.name ?? null, contacts: look.chains || look.points || look.normals || picked === 'contact' || !this.isLarge(),
      motion: picked === 'body' || !this.isLarge() });
  }

  private isLarge() {
    return this.model.rows > 20000;
  }

  private changed(needsFrames: boolean) {
    this.picture.applyLook();
    if (needsFrames) this.updateWish();
    this.refresh();
  }

  /** Shows the frame of now again, with what is wished for now. */
  refresh(): Promise<void> {
    this.updateWish();
    return this.player.go(this.player.now);
  }

  setField(name: string) {
    this.look.field = this.model.fields.find((f) => f.name === name) ?? null;
    this.range = null;
    this.seenRange = null;
    this.refresh();
  }

  private seenRange: [number, number] | null = null;

  private show(frame: Frame) {
    if (frame.rowsNeeded > this.model.rows) return void this.reload();
    const { look } = this;
    if (look.field) this.updateRange(frame);
    if (frame.contacts) this.strongest = Math.max(this.strongest, frame.contacts.strongest);
    this.picture.setStrongest(this.strongest || 1);
    const trail: Frame[] = [];
    for (let n = Math.max(0, frame.number - TRAIL); look.trails && n < frame.number; n++) {
      const held = this.cache.peek(n);
      if (held) trail.push(held);
    }
    this.picture.applyLook();
    this.picture.show(frame, trail);
    this.picture.setMark(markOf(this.picked, frame, this.model, this.strongest), look.dark ? '#ffd166' : '#d9480f');
    this.inspector.show(this.picked, frame);
    this.certificate.show(frame);
    this.plots.setTime(frame.time);
    this.drawLegend();
    this.writeLink();
  }

  // Widened by every frame that is shown, so that colours do not jump about; signed fields stay even about zero.
  private updateRange(frame: Frame) {
    const { look } = this;
    if (frame.range) {
      const [low, high] = this.seenRange ?? frame.range;
      this.seenRange = [Math.min(low, frame.range[0]), Math.max(high, frame.range[1])];
    }
    let range = this.range ?? this.seenRange ?? [0, 1];
    if (!this.range && look.field!.signed) {
      const most = Math.max(Math.abs(range[0]), Math.abs(range[1]));
      range = [-most, most];
    }
    look.range = range;
  }

  private drawLegend() {
    const { look, legend } = this, { field } = look, parts: Node[] = [];
    const key = (colour: string, text: string) => el('span', { className: 'key' }, el('i', { style: `background: ${colour}` }), text);
    if (field && field.category) parts.push(el('div', {}, field.name, ' ', ...field.categories.slice(0, 12).map((name, i) => key(categoryColour(i), name))));
    else if (field) {
      const stops = Array.from({ length: 11 }, (_, i) => scaleColour(i / 10, field.signed)).join(', ');
      parts.push(el('div', {}, `${field.name}${field.unit ? `, ${field.unit}` : ''}`), el('div', { className: 'bar', style: `background: linear-gradient(90deg, ${stops})` }),
        el('div', { className: 'ends' }, el('span', {}, digits(look.range[0], 3)), el('span', {}, digits(look.range[1], 3))));
    }
    if (look.chains || look.points) {
      const colours = look.dark ? ['#ff6b5e', '#5aa9ff'] : ['#c0271b', '#1464c0'];
      const per = this.inspector.forces && this.model.h > 0 ? this.model.h : 1, unit = this.inspector.forces ? 'N' : 'N s';
      parts.push(el('div', {}, key(colours[0], 'stick'), key(colours[1], 'slide'), look.chains ? `widest ${digits(this.strongest / per, 3)} ${unit}` : ''));
    }
    if (look.magnify > 1.01 && this.model.rest) parts.push(el('div', {}, `deformation \u00d7${Math.round(look.magnify)}`));
    legend.classList.toggle('hidden', parts.length === 0);
    legend.replaceChildren(...parts);
  }

  pick(picked: Picked | null) {
    this.picked = picked;
    this.picture.setPicked(picked?.kind === 'body' ? picked.row : -1);
    this.refresh();
  }

  private pickContact(i: number) {
    const contacts = this.picture.frame?.contacts;
    if (contacts) this.pick({ kind: 'contact', a: contacts.a[i], b: contacts.b[i], feature: contacts.feature[i] });
  }

  async plotPicked() {
    if (!this.picked) return this.say('Pick something first: a click on a body, a contact, a node or a joint.');
    const picked = this.picked;
    const charts = await track(picked, this.model, this.source, this.player.last + 1, this.inspector.forces, (share) => {
      this.say(`reading frames: ${Math.round(100 * share)} %`);
      return this.picked === picked;
    });
    this.say('');
    this.plots.element.classList.remove('hidden');
    this.plots.setPicked(charts);
  }

  private listen() {
    let down = [0, 0];
    const canvas = this.picture.canvas;
    canvas.addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY]));
    canvas.addEventListener('pointerup', (e) => {
      if (e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 5) return;
      const box = canvas.getBoundingClientRect();
      this.pick(pickAt(this.picture, this.model, this.look, e.clientX - box.left, e.clientY - box.top));
    });
    window.addEventListener('keydown', (e) => this.key(e));
    window.addEventListener('hashchange', () => this.followLink());
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)) return;
    const { player, look } = this, names = Object.keys(PRESETS), far = event.shiftKey ? 10 : 1;
    const toggle = (key: 'chains' | 'points' | 'normals' | 'orthographic') => { look[key] = !look[key]; this.rebuildPanel(); this.changed(true); };
    const actions: Record<string, () => void> = {
      ' ': () => player.toggle(), ArrowLeft: () => player.step(-far), ArrowRight: () => player.step(far), Home: () => player.go(0), End: () => player.go(player.last),
      '[': () => player.changeSpeed(-1), ']': () => player.changeSpeed(1), l: () => player.setLoop(!player.loop), o: () => toggle('orthographic'),
      c: () => toggle('chains'), p: () => toggle('points'), n: () => toggle('normals'), d: () => this.toggleTheme(), s: () => this.savePicture(),
      g: () => this.plots.element.classList.toggle('hidden'), m: () => this.side.classList.toggle('hidden'), Escape: () => this.pick(null), '?': () => this.help.showModal(),
    };
    names.forEach((name, i) => (actions[String(i + 1)] = () => this.picture.setPreset(name)));
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private makePanel(): HTMLElement {
    return buildPanel({ model: this.model, look: this.look, inspector: this.inspector.element, certificate: this.certificate.element,
      isForce: () => this.inspector.forces, setForce: (forces) => { this.inspector.forces = forces; this.refresh(); },
      setField: (name) => this.setField(name), setRange: (range) => { this.range = range; this.refresh(); },
      changed: (needsFrames) => this.changed(needsFrames), preset: (name) => this.picture.setPreset(name),
      plotPicked: () => this.plotPicked(), unpick: () => this.pick(null) });
  }

  private rebuildPanel() {
    const old = this.side, hidden = old.classList.contains('hidden');
    this.side = this.makePanel();
    this.side.classList.toggle('hidden', hidden);
    old.replaceWith(this.side);
  }

  private applyTheme() {
    document.documentElement.dataset.theme = this.look.dark ? 'dark' : 'light';
    this.picture.applyLook();
    this.plots.build();
  }

  toggleTheme() {
    this.look.dark = !this.look.dark;
    this.applyTheme();
    this.refresh();
  }

  async savePicture() {
    this.picture.redraw();
    await savePicture(this.picture.canvas, `${this.model.about.name}-${this.player.now}.png`);
  }

  async saveMovie() {
    if (this.movie !== 'no') return void (this.movie = 'ending');
    this.player.toggle(false);
    this.movie = 'recording';
    try {
      await saveMovie(this.picture.canvas, this.player.last + 1, 25, async (i) => {
        this.say(`recording ${i} of ${this.player.last} (film again: end)`);
        await this.player.go(i);
        this.picture.redraw();
      }, () => this.movie === 'ending', this.model.about.name);
      this.say('');
    } catch (error) {
      this.say((error as Error).message);
    }
    this.movie = 'no';
  }

  // The address holds camera, time and what is shown: a link to a view.
  private linkTimer = 0;

  private writeLink() {
    if (this.linkTimer) return;
    this.linkTimer = window.setTimeout(() => {
      this.linkTimer = 0;
      const { look } = this, link = new URLSearchParams();
      link.set('t', String(Number((this.player.times[this.player.now] ?? 0).toPrecision(7))));
      link.set('camera', this.picture.cameraState().join(','));
      if (look.field) link.set('colour', look.field.name);
      for (const key of ['chains', 'points', 'normals', 'trails', 'orthographic'] as const) if (look[key]) link.set(key, '1');
      if (look.magnify > 1.01) link.set('magnify', String(Math.round(look.magnify)));
      history.replaceState(null, '', `#${link}`);
    }, 300);
  }

  private readLink() {
    const link = new URLSearchParams(location.hash.slice(1)), { look } = this;
    look.field = this.model.fields.find((f) => f.name === link.get('colour')) ?? null;
    for (const key of ['chains', 'points', 'normals', 'trails', 'orthographic'] as const) if (link.has(key)) look[key] = link.get(key) === '1';
    if (Number(link.get('magnify')) >= 1) look.magnify = Number(link.get('magnify'));
  }

  private followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    this.readLink();
    this.rebuildPanel();
    this.picture.applyLook();
    if (link.get('camera')) this.picture.setCameraState(link.get('camera')!.split(',').map(Number));
    this.updateWish();
    this.player.goTime(Number(link.get('t') ?? 0));
  }

  private async copyLink() {
    await new Promise((done) => setTimeout(done, 350));
    try {
      await navigator.clipboard.writeText(location.href);
      this.say('The link is in the clipboard.');
    } catch {
      this.say('The address of this page is the link.');
    }
    setTimeout(() => this.say(''), 2500);
  }

  // A run that goes on: new frames are there, and who stood at the last one moves on with it.
  private async poll() {
    try {
      const state = await this.source.state();
      if (state && (state.frames !== this.state.frames || state.finished !== this.state.finished)) {
        const followed = this.player.now >= this.player.last;
        this.state = state;
        this.setSeries(await this.source.pack('series'));
        this.say('');
        if (followed) await this.player.go(this.player.last);
      }
    } catch {
      this.say('saltus view has ended.');
      return;
    }
    if (!this.state.finished) setTimeout(() => this.poll(), POLL);
  }

  // Bodies that the model does not know: it has grown with the run.
  private async reload() {
    const model = new Model(await this.source.pack('model'));
    if (model.rows <= this.model.rows) return;
    this.model = model;
    await this.source.setModel({ rows: model.rows, span: model.span, flags: model.flags, period: model.about.period });
    const camera = this.picture.cameraState();
    this.picture.dispose();
    this.inspector = new Inspector(model);
    this.picture = new Picture(this.holder, model, this.look);
    this.picture.onChange = () => this.writeLink();
    this.picture.setCameraState(camera);
    this.listen();
    this.rebuildPanel();
    this.cache.clear();
    await this.refresh();
  }

  /** Contact of now that is picked, -1 none. */
  pickedContact(): number {
    return this.picked?.kind === 'contact' ? findContact(this.picture.frame?.contacts, this.picked) : -1;
  }
}
