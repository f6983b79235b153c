// Puts the parts together: what is shown, what the controls change, what the address remembers.
import { FrameCache } from './cache';
import { Certificate } from './certificate';
import { worstContact } from './contact_check';
import { digits, el, takesKey } from './dom';
import type { ContactMeasure, Frame } from './frame';
import { Gauge } from './gauge';
import { findContact, Inspector, type Picked } from './inspector';
import { buildLegend } from './legend';
import { readShown, writeShown } from './link';
import { Model } from './model';
import { trailLines } from './overlays';
import type { Pack } from './pack';
import { buildPanel } from './panel';
import { Picture, PRESETS, type Look } from './picture';
import { pickAt, markOf } from './pick';
import { Player } from './player';
import { Plots } from './plots';
import { probeFields, type Probed } from './probe';
import { saveMovie, savePicture } from './record';
import { roundRange, Scales } from './scales';
import { Sheet } from './sheet';
import { Source } from './source';
import { track } from './track';
import { MOST_TRAILS, placesOf, trailFrames, Trails } from './trails';

const FILM = 25; // pictures a second
const POLL = 1500; // ms between questions to a run that goes on

const HELP: [string, string][] = [['space', 'play, pause'], ['\u2190 \u2192', 'step; with shift ten frames'], ['Home End', 'first, last frame'], ['[ ]', 'slower, faster'],
  ['L', 'loop'], ['1 \u2026 7', 'cameras'], ['O', 'orthographic'], ['C P N', 'force chains, contact points, normals'], ['G', 'plots'], ['M', 'controls'], ['D', 'dark, light'],
  ['S', 'save a picture'], ['Esc', 'pick nothing'], ['?', 'this list']];

export class App {
  readonly look: Look;
  private readonly firstLook: Look; // that of a page without a link
  picture!: Picture;
  player: Player;
  cache: FrameCache;
  plots: Plots;
  picked: Picked | null = null;
  private model!: Model;
  private inspector!: Inspector;
  private certificate: Certificate;
  private range: [number, number] | null = null; // chosen by hand
  private scales: Scales;
  private trails: Trails;
  private trailNote = '';
  private probed?: { key: string; values: Probed };
  private probing = false;
  private holder = el('div', { className: 'picture' });
  private legend = el('div', { className: 'legend' });
  private gauge = new Gauge();
  private sheet = new Sheet();
  private message = el('div', { className: 'message', role: 'status' });
  private side!: HTMLElement;
  private help = el('dialog', {}, el('table', {}, ...HELP.map(([keys, what]) => el('tr', {}, el('td', {}, el('kbd', {}, keys)), el('td', {}, what)))),
    el('form', { method: 'dialog' }, el('button', {}, 'close')));
  private movie: 'no' | 'recording' | 'ending' = 'no';
  private lost = false; // the program did not answer
  private known = { frames: 0, finished: true }; // what the series that is shown tells of the run

  static async start(root: HTMLElement): Promise<App> {
    const app = new App(root, new Source());
    (window as any).saltusViewer = app; // for tests, and for those who like a console
    await app.load();
    return app;
  }

  private constructor(private root: HTMLElement, private source: Source) {
    const dark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    this.firstLook = { field: null, range: [0, 1], magnify: 1, walls: 'solid', edges: true, chains: false, chainWidth: 0.6, threshold: 0.02, points: false,
      normals: false, contactColour: 'status', contactRange: 1, open: false, joints: true, trails: 'none', widest: 0, clipAxis: -1, clipAt: 0.5, flip: false, orthographic: false, labels: true, dark };
    this.look = { ...this.firstLook };
    this.cache = new FrameCache(source);
    this.scales = new Scales(source, () => this.refresh());
    this.trails = new Trails(source, this.cache, () => this.refresh());
    this.player = new Player(this.cache);
    this.plots = new Plots((time) => this.player.goTime(time));
    this.certificate = new Certificate((frame, measure) => this.goWorst(frame, measure));
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
    this.makePicture();
    this.listen();
    this.setSeries(series);
    this.applyTheme();
    this.updateWish();
    this.say(series.about.frames ? '' : 'No frame yet.');
    const link = new URLSearchParams(location.hash.slice(1));
    if (link.get('camera')) this.picture.setCameraState(link.get('camera')!.split(',').map(Number));
    await this.player.go(link.has('t') ? this.player.frameAt(Number(link.get('t'))) : 0);
    this.poll(); // at once: the run may have gone on, or ended, since the series was read
    const turn = () => {
      requestAnimationFrame(turn);
      this.player.tick();
      this.picture.draw();
    };
    turn();
  }

  private makePicture() {
    this.picture = new Picture(this.holder, this.model, this.look);
    this.picture.onChange = () => this.writeLink();
    this.picture.onDraw = () => this.gauge.show({ scale: this.picture.scale, dark: this.look.dark,
      toView: this.model.dimension === 3 ? this.picture.camera.matrixWorldInverse.elements : undefined });
    this.picture.setPicked(this.picked?.kind === 'body' ? this.picked.row : -1);
    this.listenToCanvas();
  }

  private setSeries(series: Pack) {
    this.known = { frames: series.about.frames, finished: series.about.finished };
    this.player.setTimes(series.arrays.get('time')?.numbers ?? []);
    this.scales.setFrames(series.about.frames, series.about.finished, this.model.rows);
    this.certificate.setSeries(series);
    this.plots.setSeries(series);
  }

  private buildPage() {
    const button = (text: string, title: string, click: () => void) => el('button', { title, onclick: click }, text);
    const { about } = this.model;
    this.side = this.makePanel();
    const narrow = window.innerWidth <= 720;
    if (narrow) [this.side, this.plots.element].forEach((e) => e.classList.add('hidden'));
    this.holder.append(this.legend, this.gauge.element, this.message);
    this.root.replaceChildren(
      el('div', { className: 'top' }, el('div', { className: 'title' }, about.name, el('small', {}, about.title ?? '')),
        button('plots', 'Plots (G)', () => this.plots.element.classList.toggle('hidden')), button('controls', 'Controls (M)', () => this.side.classList.toggle('hidden')),
        button('\u25d0', 'Dark or light (D)', () => this.toggleTheme()), button('link', 'Copy a link to this view', () => this.copyLink()),
        button('PNG', 'Save a picture (S)', () => this.savePicture()), button('film', 'Save a film of all frames', () => this.saveMovie()),
        button('?', 'Keys', () => this.help.showModal())),
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
    this.rebuildPanel();
    this.refresh();
  }

  private show(frame: Frame) {
    if (frame.rowsNeeded > this.model.rows) return void this.reload();
    const { look } = this, widest = this.widest(frame);
    if (look.field) look.range = this.range ?? roundRange(this.scales.rangeOf(look.field.name) ?? frame.range ?? [0, 1], look.field.signed);
    if (look.contactColour !== 'status')
      look.contactRange = this.scales.largestOf(look.contactColour) ?? frame.contacts?.largest[look.contactColour] ?? 0;
    this.picture.setStrongest(widest || 1);
    this.picture.applyLook();
    this.picture.show(frame);
    this.showTrails(frame);
    this.picture.setMark(markOf(this.picked, frame, this.model, look.magnify, widest || (frame.contacts?.strongest ?? 0)), look.dark ? '#ffd166' : '#b5128f');
    this.inspector.show(this.picked, frame, look.field, this.probeOf(frame));
    this.certificate.show(frame);
    this.plots.setTime(frame.time);
    this.legend.replaceChildren(...buildLegend({ look, model: this.model, forces: this.inspector.forces, widest, trails: this.trailNote,
      frames: this.scales.count, byHand: this.range !== null }));
    this.legend.classList.toggle('hidden', !this.legend.hasChildNodes());
    this.writeLink();
  }

  // Until the scale of the file is known, that of the frame serves.
  private widest(frame: Frame): number {
    if (!this.look.chains) return 0;
    return this.look.widest || (this.scales.widest() ?? frame.contacts?.strongest ?? 0);
  }

  private showTrails(frame: Frame) {
    const { look, picture, model } = this, row = picture.picked;
    this.trailNote = '';
    if (look.trails === 'none') return picture.setTrails([]);
    const all = [...frame.rows].filter((r) => r < model.rows && frame.place[4 * r + 3] === 1);
    if (row < 0 && all.length > MOST_TRAILS) {
      this.trailNote = `trails: pick a body (${all.length} are too many)`;
      return picture.setTrails([]);
    }
    const { numbers, stride } = trailFrames(frame.number, this.player.last + 1, look.trails === 'all');
    const places = [...this.trails.get(numbers, row), placesOf(frame.place, row)];
    const missing = numbers.length + 1 - places.length;
    this.trailNote = missing ? `trails: ${missing} frames to come` : stride > 1 ? `trails through frame 0, ${stride}, ${2 * stride}\u2026` : '';
    picture.setTrails(trailLines(places, row < 0 ? all : [0], picture.longestStep));
  }

  // What the frame does not hold of a body or node that is picked: asked for apart, so that frames stay small.
  private probeOf(frame: Frame): Probed | undefined {
    const { picked, look } = this;
    if (picked?.kind !== 'body' && picked?.kind !== 'node') return undefined;
    if (picked.kind === 'body' && frame.velocity) return undefined;
    const index = picked.kind === 'body' ? picked.row : picked.node, key = `${frame.number} ${picked.kind} ${index} ${look.field?.name}`;
    if (this.probed?.key === key) return this.probed.values;
    if (!this.probing) {
      this.probing = true;
      this.source.probe(frame.number, { kind: picked.kind, index, fields: probeFields(picked.kind, this.model.fields, look.field) })
        .then((values) => (this.probed = { key, values }), (error) => this.say(error.message))
        .finally(() => {
          this.probing = false;
          if (this.probed?.key === key && this.picture.frame) this.inspector.show(this.picked, this.picture.frame, look.field, this.probeOf(this.picture.frame));
        });
    }
    return undefined;
  }

  pick(picked: Picked | null) {
    this.picked = picked;
    this.picture.setPicked(picked?.kind === 'body' ? picked.row : -1);
    this.refresh();
  }

  /** The frame, and the contact that penetrates most in it, or whose residual is the largest. */
  private async goWorst(number: number, measure: ContactMeasure) {
    const { contacts } = await this.source.frame(number, { field: null, contacts: true, motion: false }), i = worstContact(contacts, measure);
    this.player.go(number);
    if (i < 0)
      return this.say(measure === 'penetration' ? 'No contact penetrates in this frame: it was in a step before it.'
        : 'No contact of this frame has a residual: it was in a step before it, or was not stored.');
    this.pick({ kind: 'contact', a: contacts!.a[i], b: contacts!.b[i], feature: contacts!.feature[i] });
  }

  async plotPicked() {
    if (!this.picked) return this.say('Pick something first: a click on a body, a contact, a node or a joint.');
    const picked = this.picked;
    const charts = await track(picked, this.model, this.source, this.player.last + 1, this.inspector.forces, this.look.field, (share) => {
      this.say(`reading frames: ${Math.round(100 * share)} %`);
      return this.picked === picked;
    });
    this.say('');
    this.plots.element.classList.remove('hidden');
    this.plots.setPicked(charts);
  }

  private listen() {
    window.addEventListener('keydown', (e) => this.key(e));
    window.addEventListener('hashchange', () => this.followLink());
  }

  // Of each picture anew: a model that has grown gets another canvas.
  private listenToCanvas() {
    let down = [0, 0];
    const canvas = this.picture.canvas;
    canvas.addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY]));
    canvas.addEventListener('pointerup', (e) => {
      if (e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 5) return;
      const box = canvas.getBoundingClientRect();
      this.pick(pickAt(this.picture, this.model, this.look, e.clientX - box.left, e.clientY - box.top));
    });
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || takesKey(target, event.key)) return;
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
    return buildPanel({ model: this.model, look: this.look, inspector: this.inspector.element, certificate: this.certificate.element, range: this.range,
      isForce: () => this.inspector.forces, setForce: (forces) => { this.inspector.forces = forces; this.rebuildPanel(); this.refresh(); },
      setField: (name) => this.setField(name), setRange: (range) => { this.range = range; this.refresh(); },
      changed: (needsFrames) => this.changed(needsFrames), preset: (name) => this.picture.setPreset(name),
      plotPicked: () => this.plotPicked(), unpick: () => this.pick(null) });
  }

  private rebuildPanel() {
    const old = this.side, open = [...old.querySelectorAll('details')].map((one) => one.open), { scrollTop } = old;
    this.side = this.makePanel();
    this.side.classList.toggle('hidden', old.classList.contains('hidden'));
    [...this.side.querySelectorAll('details')].forEach((one, i) => (one.open = open[i] ?? one.open));
    old.replaceWith(this.side);
    this.side.scrollTop = scrollTop;
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
    this.drawSheet();
    await savePicture(this.sheet.canvas, `${this.model.about.name}-${this.player.now}.png`);
  }

  private drawSheet() {
    const { name, title } = this.model.about;
    this.picture.redraw();
    this.sheet.draw(this.picture.canvas, this.look.labels ? { title: title ?? name, time: `t = ${digits(this.picture.frame?.time)} s`,
      elements: [this.legend, this.gauge.element], ink: this.look.dark ? '#e6e8eb' : '#22262c' } : null);
  }

  /** The frame with all that belongs to it: its scales and trails too. */
  async goWhole(number: number) {
    await this.player.go(number);
    await Promise.all([this.scales.ready(), this.trails.ready()]);
    await this.player.go(number);
  }

  async saveMovie() {
    if (this.movie !== 'no') return void (this.movie = 'ending');
    this.player.toggle(false);
    this.movie = 'recording';
    try {
      const exact = await saveMovie({ canvas: this.sheet.canvas, count: this.player.last + 1, perSecond: FILM, name: this.model.about.name,
        prepare: (i) => {
          this.say(`recording ${i} of ${this.player.last} (film again: end)`);
          return this.goWhole(i);
        }, draw: () => this.drawSheet(), isStopped: () => this.movie === 'ending' });
      this.say(exact ? '' : 'This browser records by the clock: the film runs as fast as this machine drew it.');
    } catch (error) {
      this.say((error as Error).message);
    }
    this.movie = 'no';
  }

  private linkTimer = 0;

  private writeLink() {
    if (this.linkTimer) return;
    this.linkTimer = window.setTimeout(() => {
      this.linkTimer = 0;
      const link = new URLSearchParams();
      link.set('t', String(Number((this.player.times[this.player.now] ?? 0).toPrecision(7))));
      link.set('camera', this.picture.cameraState().join(','));
      writeShown({ look: this.look, range: this.range, forces: this.inspector.forces, picked: this.picked }, this.firstLook, link);
      history.replaceState(null, '', `#${link}`);
    }, 300);
  }

  private readLink() {
    const { look, range, forces, picked } = readShown(new URLSearchParams(location.hash.slice(1)), this.firstLook, this.model);
    Object.assign(this.look, look);
    this.inspector.forces = forces;
    [this.range, this.picked] = [range, picked];
  }

  private followLink() {
    const link = new URLSearchParams(location.hash.slice(1));
    this.readLink();
    this.rebuildPanel();
    this.picture.setPicked(this.picked?.kind === 'body' ? this.picked.row : -1);
    this.applyTheme();
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
      if (!state) return; // a page from disk
      if (this.lost) this.say('');
      this.lost = false;
      if (state.frames !== this.known.frames || state.finished !== this.known.finished) {
        const series = await this.source.pack('series'), followed = this.player.now >= this.player.last, first = this.known.frames === 0;
        this.setSeries(series);
        this.say(this.known.frames ? '' : 'No frame yet.');
        if (followed) this.player.go(this.player.last);
        if (first && this.known.frames > 0) await this.reload(true);
      }
    } catch {
      // It may have been asked while the run was writing: asked again.
      this.say('saltus view does not answer.');
      this.lost = true;
      return void setTimeout(() => this.poll(), 3 * POLL);
    }
    if (!this.known.finished) setTimeout(() => this.poll(), POLL);
  }

  // Bodies that the model does not know: it has grown with the run. A model of a file without frames does not know what is to be seen
  // either: the camera is then placed anew.
  private async reload(first = false) {
    const model = new Model(await this.source.pack('model'));
    if (!first && model.rows <= this.model.rows) return;
    this.model = model;
    await this.source.setModel({ rows: model.rows, span: model.span, flags: model.flags, period: model.about.period });
    const camera = this.picture.cameraState(), { forces } = this.inspector;
    this.picture.dispose();
    this.inspector = new Inspector(model);
    this.inspector.forces = forces;
    this.makePicture();
    if (!first) this.picture.setCameraState(camera);
    this.rebuildPanel();
    this.cache.clear();
    this.trails.clear();
    this.scales.setFrames(this.known.frames, this.known.finished, model.rows);
    await this.refresh();
  }

  /** Contact of now that is picked, -1 none. */
  pickedContact(): number {
    return this.picked?.kind === 'contact' ? findContact(this.picture.frame?.contacts, this.picked) : -1;
  }
}
