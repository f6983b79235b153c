// Balls: quads that find their sphere, or points where they are many and small.
//
// Not as instances: some drivers take every instance as a drawing of its own (SwiftShader: 60 us each).
import * as THREE from 'three';
import { Cover, type View } from './cover';
import type { Model } from './model';
import { material, type Uniforms } from './shaders';

const MANY = 5000; // from here on those that are hidden are left out, and points are tried
const TWO = [0, 1, 2, 0, 2, 3]; // triangles of a quad
const SMALL = 14; // px: radius up to which a point is as good

export class Balls {
  readonly quads: THREE.Mesh;
  readonly dots?: THREE.Points;
  drawn: number;
  private rows: Float32Array;
  private radii: Float32Array;
  private meanRadius: number;
  private asDots = false;
  private cover?: Cover;
  private found?: Uint32Array;

  /** `smooth`: edges are smoothed by the samples of a pixel. */
  constructor(model: Model, rows: number[], shared: Uniforms, viewport: Uniforms, smooth: boolean) {
    this.rows = new Float32Array(rows);
    this.radii = new Float32Array(rows.map((row) => model.shapes[model.shapeOf[row]].radius!));
    this.meanRadius = this.radii.reduce((a, b) => a + b, 0) / rows.length;
    this.drawn = rows.length;
    this.quads = new THREE.Mesh(this.quadGeometry(), material('ball', shared, {}, { side: THREE.DoubleSide, alphaToCoverage: smooth }));
    if (rows.length >= MANY && model.dimension === 3) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * rows.length), 3));
      geometry.setAttribute('row', new THREE.BufferAttribute(this.rows.slice(), 1));
      geometry.setAttribute('radius', new THREE.BufferAttribute(this.radii.slice(), 1));
      this.dots = new THREE.Points(geometry, material('dot', shared, viewport));
      this.cover = new Cover(this.rows, this.radii);
      this.found = new Uint32Array(rows.length);
    }
    this.choose();
  }

  private quadGeometry(): THREE.BufferGeometry {
    const count = this.rows.length, geometry = new THREE.BufferGeometry();
    const corners = new Float32Array(12 * count), rows = new Float32Array(4 * count), radii = new Float32Array(4 * count);
    const index = new Uint32Array(6 * count), square = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
    for (let i = 0; i < count; i++) {
      corners.set(square, 12 * i);
      rows.fill(this.rows[i], 4 * i, 4 * i + 4);
      radii.fill(this.radii[i], 4 * i, 4 * i + 4);
      TWO.forEach((corner, k) => (index[6 * i + k] = 4 * i + corner));
    }
    geometry.setAttribute('position', new THREE.BufferAttribute(corners, 3));
    geometry.setAttribute('row', new THREE.BufferAttribute(rows, 1));
    geometry.setAttribute('radius', new THREE.BufferAttribute(radii, 1));
    geometry.setIndex(new THREE.BufferAttribute(index, 1));
    return geometry;
  }

  choose() {
    this.quads.visible = !this.asDots;
    if (this.dots) this.dots.visible = this.asDots;
  }

  /** Before a picture: `pixels` per metre in the middle of it. Nearest first: what is hidden is not shaded; what is surely hidden not drawn. */
  prepare(pixels: number, view: View, place: Float32Array) {
    if (!this.cover) return;
    this.asDots = pixels * this.meanRadius < SMALL;
    this.choose();
    this.drawn = this.cover.find(view, place, this.asDots, this.found!);
    if (this.asDots) this.fillDots();
    else this.fillQuads();
  }

  private fillDots() {
    const { geometry } = this.dots!, found = this.found!;
    const row = geometry.getAttribute('row') as THREE.BufferAttribute, radius = geometry.getAttribute('radius') as THREE.BufferAttribute;
    for (let n = 0; n < this.drawn; n++) {
      row.array[n] = this.rows[found[n]];
      radius.array[n] = this.radii[found[n]];
    }
    for (const one of [row, radius]) this.upload(one, this.drawn);
    geometry.setDrawRange(0, this.drawn);
  }

  private fillQuads() {
    const { geometry } = this.quads, index = geometry.getIndex()!, found = this.found!;
    for (let n = 0; n < this.drawn; n++) for (let k = 0; k < 6; k++) index.array[6 * n + k] = 4 * found[n] + TWO[k];
    this.upload(index, 6 * this.drawn);
    geometry.setDrawRange(0, 6 * this.drawn);
  }

  private upload(attribute: THREE.BufferAttribute, count: number) {
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, count);
    attribute.needsUpdate = true;
  }
}
