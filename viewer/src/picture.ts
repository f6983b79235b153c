// The picture: camera, bodies, meshes, what is drawn over them, and what is under the pointer.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Bodies } from './bodies';
import { fitBox, seenBox } from './fit';
import { NONE, type ContactMeasure, type Frame } from './frame';
import type { Field, Model } from './model';
import { ContactOverlay, Lines, Ring, jointLines } from './overlays';
import { paletteTexture } from './palette';
import type { Mark } from './pick';
import { material, type Uniforms } from './shaders';

export interface Look {
  field: Field | null;
  range: [number, number];
  magnify: number;
  walls: 'solid' | 'glass' | 'hidden';
  edges: boolean;
  chains: boolean;
  chainWidth: number;
  threshold: number;
  points: boolean;
  normals: boolean;
  contactColour: 'status' | ContactMeasure;
  contactRange: number; // the end of its scale, which begins at 0; m/s or m
  open: boolean;
  joints: boolean;
  trails: 'none' | 'short' | 'all';
  widest: number; // impulse of the widest chain chosen by hand, N s; 0: of the file
  clipAxis: -1 | 0 | 1 | 2;
  clipAt: number; // 0 to 1 of the view
  flip: boolean;
  orthographic: boolean;
  labels: boolean; // on what is saved
  dark: boolean;
}

/** As in `saltus render`: what sticks is blue, what slides red. */
export const statusColours = (dark: boolean) => (dark ? { stick: '#5aa9ff', slide: '#ff6b5e' } : { stick: '#1c5ca8', slide: '#d6452e' });

const LARGE = 5000; // bodies, from which on quick pictures count more than smooth edges

export const PRESETS: Record<string, [number, number, number]> = {
  front: [0, -1, 0], back: [0, 1, 0], left: [-1, 0, 0], right: [1, 0, 0], top: [0, -1e-3, 1], bottom: [0, -1e-3, -1],
  corner: [0.55, -0.75, 0.4],
};

function dataTexture(data: Float32Array, span: number, format: THREE.PixelFormat): THREE.DataTexture {
  const texture = new THREE.DataTexture(data, span, span, format, THREE.FloatType);
  texture.needsUpdate = true;
  return texture;
}

function updateTexture({ value }: THREE.IUniform<THREE.DataTexture>, data: Float32Array) {
  value.image.data = data as Float32Array<ArrayBuffer>;
  value.needsUpdate = true;
}

export class Picture {
  readonly canvas: HTMLCanvasElement;
  readonly controls: OrbitControls;
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera;
  frame?: Frame;
  picked = -1; // row of the picked body
  frameTime = 0; // ms of the last drawing
  onChange = () => {};
  onDraw = () => {};
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private perspective = new THREE.PerspectiveCamera(35, 1, 0.01, 1000);
  private flatCamera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
  private bodies: Bodies;
  private contacts: ContactOverlay;
  private jointLines: Lines;
  private trailLines: Lines;
  private markLines: Lines;
  private markRing: Ring;
  private mesh?: THREE.Mesh;
  private meshEdges?: THREE.LineSegments;
  private shared: Uniforms;
  private ink: Uniforms = { ink: { value: new THREE.Color() }, alpha: { value: 0.35 } };
  private status: Uniforms = {
    stick: { value: new THREE.Color() }, slide: { value: new THREE.Color() }, open: { value: new THREE.Color() } };
  private viewport: Uniforms = { viewport: { value: new THREE.Vector2(1, 1) }, pixelRatio: { value: 1 } };
  private palettes = [paletteTexture(false), paletteTexture(true)];
  private pickTarget = new THREE.WebGLRenderTarget(1, 1);
  private size: number;
  private grain: number;
  private stale = true;
  private noValue: Float32Array;
  private preset: string;
  private isFitting = false;
  private placed = false; // the camera was moved by hand or by a link

  constructor(holder: HTMLElement, private model: Model, private look: Look) {
    const smooth = model.rows < LARGE, canvas = document.createElement('canvas');
    // Without alpha: what smooth edges leave of it is none of the page's.
    const context = canvas.getContext('webgl2', { alpha: false, antialias: smooth, powerPreference: 'high-performance' }) ?? undefined;
    this.renderer = new THREE.WebGLRenderer({ canvas, context, antialias: smooth });
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // colours are taken as they are given
    THREE.ColorManagement.enabled = false;
    this.canvas = this.renderer.domElement;
    holder.append(this.canvas);
    this.size = model.size;
    this.grain = model.grain;
    const empty = () => dataTexture(new Float32Array(4 * model.span ** 2), model.span, THREE.RGBAFormat);
    this.noValue = new Float32Array(model.span ** 2).fill(NONE);
    this.shared = {
      placeMap: { value: empty() }, turnMap: { value: empty() },
      valueMap: { value: dataTexture(this.noValue, model.span, THREE.RedFormat) },
      span: { value: model.span }, palette: { value: this.palettes[0] }, range: { value: new THREE.Vector2(0, 1) },
      colouring: { value: 0 }, bodyColour: { value: new THREE.Color() }, wallColour: { value: new THREE.Color() },
      clip: { value: new THREE.Vector4(0, 0, 0, 1) }, picked: { value: -1 }, picking: { value: 0 },
      orthographic: { value: 0 }, flatPicture: { value: model.dimension === 2 ? 1 : 0 }, leastCover: { value: smooth ? 0.02 : 0.5 }, magnify: { value: 1 },
    };
    this.bodies = new Bodies(model, this.shared, this.ink, this.viewport, smooth);
    this.contacts = new ContactOverlay(model, this.shared, this.status, this.viewport);
    this.jointLines = new Lines(20, false, this.shared);
    this.trailLines = new Lines(5, true, this.shared);
    this.markLines = new Lines(30, false, { ...this.shared, clip: { value: new THREE.Vector4(0, 0, 0, 1) } }); // what is picked is not cut away
    this.markRing = new Ring(31, { ...this.shared, clip: { value: new THREE.Vector4(0, 0, 0, 1) } }, this.viewport);
    this.scene.add(this.bodies.group, this.contacts.group, this.jointLines.object, this.trailLines.object, this.markLines.object, this.markRing.object);
    this.addMeshes();
    const up = model.dimension === 2 ? [0, 1, 0] : [0, 0, 1];
    // Depths by the model alone: from the same place the picture is the same, however one came there.
    for (const camera of [this.perspective, this.flatCamera]) {
      camera.up.set(up[0], up[1], up[2]);
      [camera.near, camera.far] = [this.size / 150, 30 * this.size];
    }
    this.camera = this.flatCamera;
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    if (model.dimension === 2) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      this.controls.touches.ONE = THREE.TOUCH.PAN;
    }
    this.controls.addEventListener('change', () => {
      this.stale = true;
      this.placed ||= !this.isFitting;
      this.onChange();
    });
    new ResizeObserver(() => this.resize(holder)).observe(holder);
    this.resize(holder);
    this.applyLook();
    this.setPreset((this.preset = model.dimension === 2 ? 'front' : 'corner'));
  }

  private addMeshes() {
    const { rest, meshTriangles, meshEdges } = this.model;
    if (!rest || !meshTriangles?.length) return;
    const geometry = new THREE.BufferGeometry(), count = rest.length / 3;
    geometry.setAttribute('position', new THREE.BufferAttribute(rest, 3));
    geometry.setAttribute('displacement', new THREE.BufferAttribute(new Float32Array(rest.length), 3));
    geometry.setAttribute('value', new THREE.BufferAttribute(new Float32Array(count).fill(NONE), 1));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(meshTriangles), 1));
    const faces = material('mesh', this.shared, {}, { side: THREE.DoubleSide });
    Object.assign(faces, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.mesh = new THREE.Mesh(geometry, faces);
    const lines = new THREE.BufferGeometry();
    for (const name of ['position', 'displacement', 'value']) lines.setAttribute(name, geometry.getAttribute(name));
    lines.setIndex(new THREE.BufferAttribute(Uint32Array.from(meshEdges!), 1));
    this.meshEdges = new THREE.LineSegments(lines, material('meshLine', this.shared, this.ink, { transparent: true }));
    this.mesh.frustumCulled = this.meshEdges.frustumCulled = false;
    this.scene.add(this.mesh, this.meshEdges);
  }

  private resize(holder: HTMLElement) {
    const width = Math.max(1, holder.clientWidth), height = Math.max(1, holder.clientHeight);
    this.renderer.setPixelRatio(this.model.rows < LARGE ? Math.min(window.devicePixelRatio, 2) : 1);
    this.renderer.setSize(width, height);
    this.viewport.viewport.value.set(width, height);
    this.viewport.pixelRatio.value = this.renderer.getPixelRatio();
    this.perspective.aspect = width / height;
    const half = (this.flatCamera.top - this.flatCamera.bottom) / 2;
    this.flatCamera.left = (-half * width) / height;
    this.flatCamera.right = (half * width) / height;
    for (const camera of [this.perspective, this.flatCamera]) camera.updateProjectionMatrix();
    if (this.frame && !this.placed) this.setPreset(this.preset); // who has not moved the camera sees everything in the new window too
    this.stale = true;
  }

  /** Takes over what was changed in the look. */
  applyLook() {
    const { look, shared, model } = this, dark = look.dark;
    this.scene.background = new THREE.Color(dark ? '#14171c' : '#fbfbfa');
    shared.bodyColour.value.set(dark ? '#b9b2a4' : model.dimension === 2 ? '#e4ddcf' : '#cbbfa8');
    shared.wallColour.value.set(dark ? '#4a5058' : '#b9bec4');
    this.ink.ink.value.set(dark ? '#0a0c0e' : '#2b2f36');
    this.ink.alpha.value = model.dimension === 2 ? 0.9 : 0.45;
    this.status.stick.value.set(statusColours(dark).stick);
    this.status.slide.value.set(statusColours(dark).slide);
    this.status.open.value.set(dark ? '#8b929c' : '#8a8f96');
    shared.colouring.value = !look.field ? 0 : look.field.category ? 2 : 1;
    shared.palette.value = this.palettes[look.field?.signed ? 1 : 0];
    shared.range.value.set(...look.range);
    shared.magnify.value = look.magnify;
    this.bodies.show(look.walls, look.edges);
    if (this.meshEdges) this.meshEdges.visible = look.edges;
    const clip = shared.clip.value as THREE.Vector4;
    if (look.clipAxis < 0) clip.set(0, 0, 0, 1);
    else {
      const sign = look.flip ? -1 : 1, k = look.clipAxis, axis = [0, 0, 0];
      axis[k] = sign;
      clip.set(axis[0], axis[1], axis[2], sign * (model.low[k] + look.clipAt * (model.high[k] - model.low[k])));
    }
    this.contacts.chainUniforms.width.value = look.chainWidth * this.grain * 0.5;
    this.contacts.chainUniforms.threshold.value = look.threshold;
    this.contacts.pointUniforms.showOpen.value = look.open ? 1 : 0;
    this.contacts.pointUniforms.largest.value = look.contactRange;
    this.setProjection();
    if (this.frame) this.drawOver(this.frame);
    this.stale = true;
  }

  /** `strongest`: the impulse that is drawn as wide as a chain gets, N s. */
  setStrongest(strongest: number) {
    this.contacts.chainUniforms.strongest.value = strongest;
  }

  show(frame: Frame) {
    const { shared } = this;
    if (this.frame !== frame) {
      const first = !this.frame;
      this.frame = frame;
      updateTexture(shared.placeMap, frame.place);
      updateTexture(shared.turnMap, frame.turn);
      updateTexture(shared.valueMap, frame.value ?? this.noValue);
      if (this.mesh && frame.displacement) this.updateMesh(frame);
      if (first && !this.placed) this.setPreset(this.preset); // drums are known only now
    }
    this.drawOver(frame);
  }

  private drawOver(frame: Frame) {
    const { look } = this;
    this.contacts.update(frame, look);
    this.jointLines.update(look.joints ? jointLines(frame.joints, Math.min(0.15 * this.grain, this.size / 80)) : [], look.dark ? '#ffd166' : '#7a3ea8');
    this.stale = true;
  }

  /** Lines, two points each. */
  setTrails(lines: ArrayLike<number>) {
    this.trailLines.update(lines as Float32Array, this.look.dark ? '#7fb2e5' : '#3c6e9f');
    this.stale = true;
  }

  get longestStep() {
    return this.size / 3; // of a trail: longer ones go through a periodic border
  }

  private updateMesh(frame: Frame) {
    const displacement = this.mesh!.geometry.getAttribute('displacement') as THREE.BufferAttribute;
    (displacement.array as Float32Array).set(frame.displacement!);
    displacement.needsUpdate = true;
    const value = this.mesh!.geometry.getAttribute('value') as THREE.BufferAttribute;
    if (frame.nodeValue) (value.array as Float32Array).set(frame.nodeValue);
    else (value.array as Float32Array).fill(NONE);
    value.needsUpdate = true;
  }

  /** Lines, two points each, and the place of a ring. */
  setMark({ lines, ring }: Mark, colour: string) {
    this.markLines.update(lines, colour);
    this.markRing.update(ring, colour);
    this.stale = true;
  }

  setPicked(row: number) {
    this.picked = this.shared.picked.value = row;
    this.stale = true;
  }

  private setProjection() {
    const flat = this.model.dimension === 2 || this.look.orthographic;
    const next = flat ? this.flatCamera : this.perspective;
    this.shared.orthographic.value = flat ? 1 : 0;
    if (next === this.camera) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    next.position.copy(this.camera.position);
    if (next === this.flatCamera) {
      const half = distance * Math.tan((this.perspective.fov * Math.PI) / 360);
      this.setHalfHeight(half);
    }
    this.camera = next;
    this.controls.object = next;
    this.controls.update();
  }

  private setHalfHeight(half: number) {
    const aspect = this.perspective.aspect;
    Object.assign(this.flatCamera, { top: half, bottom: -half, left: -half * aspect, right: half * aspect, zoom: 1 });
    this.flatCamera.updateProjectionMatrix();
  }

  /** Looks at the middle of everything from one of PRESETS; in the plane there is only `front`. */
  setPreset(name: string) {
    const { model, perspective } = this, { low, high } = seenBox(model, this.frame?.place);
    this.preset = name;
    const middle = new THREE.Vector3(...low.map((x, k) => (x + high[k]) / 2) as [number, number, number]);
    const direction = model.dimension === 2 ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(...PRESETS[name]).normalize();
    const { half, distance } = fitBox(low, high, direction, perspective.up, perspective.aspect, (perspective.fov * Math.PI) / 360);
    this.setHalfHeight(half);
    for (const camera of [perspective, this.flatCamera]) {
      camera.zoom = 1;
      camera.position.copy(middle).addScaledVector(direction, distance);
      camera.updateProjectionMatrix();
    }
    this.controls.target.copy(middle);
    this.isFitting = true;
    this.controls.update();
    this.isFitting = false;
    this.placed = false;
    this.stale = true;
  }

  /** Camera as numbers: position, target, zoom. */
  cameraState(): number[] {
    const digits = (x: number) => Number(x.toPrecision(7));
    return [...this.camera.position.toArray(), ...this.controls.target.toArray(), this.camera.zoom,
            this.flatCamera.top].map(digits);
  }

  setCameraState(state: number[]) {
    if (state.length !== 8 || !state.every(Number.isFinite)) return;
    this.camera.position.fromArray(state);
    this.controls.target.fromArray(state, 3);
    this.placed = true;
    this.setHalfHeight(state[7]);
    this.camera.zoom = state[6];
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Draws if anything changed. */
  draw(): boolean {
    if (!this.stale) return false;
    this.stale = false;
    const begin = performance.now();
    this.prepareBalls();
    this.renderer.render(this.scene, this.camera);
    this.frameTime = performance.now() - begin;
    this.onDraw();
    return true;
  }

  /** Pixels of the page per metre in the middle of the picture. */
  get scale(): number {
    const distance = this.camera.position.distanceTo(this.controls.target), { zoom } = this.camera;
    const half = this.camera === this.perspective ? (distance * Math.tan((this.perspective.fov * Math.PI) / 360)) / zoom : this.flatCamera.top / zoom;
    return this.viewport.viewport.value.y / (2 * half);
  }

  private prepareBalls() {
    if (!this.frame || !this.bodies.balls) return;
    this.camera.updateMatrixWorld();
    const { width, height } = this.canvas, toView = this.camera.matrixWorldInverse, toClip = this.camera.projectionMatrix.clone().multiply(toView);
    const e = toView.elements;
    this.bodies.balls.prepare(this.scale, { toClip: toClip.elements, depth: [e[2], e[6], e[10], e[14]], width, height,
      scale: 0.5 * height * this.camera.projectionMatrix.elements[5], clip: this.shared.clip.value }, this.frame.place);
  }

  redraw() {
    this.stale = true;
    this.draw();
  }

  /** Waits for the graphics card: the honest time of one picture, ms. */
  measure(count: number): number {
    const context = this.renderer.getContext(), pixel = new Uint8Array(4), begin = performance.now();
    for (let i = 0; i < count; i++) {
      this.prepareBalls();
      this.renderer.render(this.scene, this.camera);
      context.readPixels(0, 0, 1, 1, context.RGBA, context.UNSIGNED_BYTE, pixel);
    }
    return (performance.now() - begin) / count;
  }

  /** Row of the body under a place of the canvas, -1 none, -2 a mesh. */
  bodyAt(x: number, y: number): number {
    const { width, height } = this.canvas.getBoundingClientRect(), background = this.scene.background;
    const hidden = this.scene.children.filter((c) => c !== this.bodies.group && c !== this.mesh && c.visible);
    hidden.forEach((c) => (c.visible = false));
    this.camera.setViewOffset(width, height, x, y, 1, 1);
    this.shared.picking.value = 1;
    this.scene.background = new THREE.Color(0);
    const lines = this.bodies.group.children.filter((c) => c instanceof THREE.LineSegments && c.visible);
    lines.forEach((c) => (c.visible = false));
    this.renderer.setRenderTarget(this.pickTarget);
    this.renderer.render(this.scene, this.camera);
    const pixel = new Uint8Array(4);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    this.shared.picking.value = 0;
    this.scene.background = background;
    this.camera.clearViewOffset();
    [...hidden, ...lines].forEach((c) => (c.visible = true));
    this.stale = true;
    const id = pixel[0] + 256 * pixel[1] + 65536 * pixel[2];
    return id === 0xffffff ? -2 : id - 1;
  }

  /** Where a point of the world is on the canvas, px. */
  project(x: number, y: number, z: number): [number, number] {
    const v = new THREE.Vector3(x, y, z).project(this.camera), { width, height } = this.canvas.getBoundingClientRect();
    return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height];
  }

  /** What was shown so far, freed. */
  dispose() {
    this.bodies.dispose();
    this.controls.dispose();
    this.renderer.dispose();
    this.canvas.remove();
  }
}
