// Balls: quads that find their sphere, or points where they are many and small.
//
// Not as instances: some drivers take every instance as a drawing of its own (SwiftShader: 60 us each).
import * as THREE from 'three';
import type { Model } from './model';
import { material, type Uniforms } from './shaders';

const MANY = 20000; // from here on points are tried, nearest first
const SMALL = 14; // px: radius up to which a point is as good
const BUCKETS = 2048;

export class Balls {
  readonly quads: THREE.Mesh;
  readonly dots?: THREE.Points;
  private rows: Float32Array;
  private radii: Float32Array;
  private meanRadius: number;
  private asDots = false;

  constructor(model: Model, rows: number[], shared: Uniforms, viewport: Uniforms) {
    this.rows = new Float32Array(rows);
    this.radii = new Float32Array(rows.map((row) => model.shapes[model.shapeOf[row]].radius!));
    this.meanRadius = this.radii.reduce((a, b) => a + b, 0) / rows.length;
    this.quads = new THREE.Mesh(this.quadGeometry(), material('ball', shared, {}, { side: THREE.DoubleSide }));
    if (rows.length >= MANY && model.dimension === 3) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * rows.length), 3));
      geometry.setAttribute('row', new THREE.BufferAttribute(this.rows.slice(), 1));
      geometry.setAttribute('radius', new THREE.BufferAttribute(this.radii.slice(), 1));
      this.dots = new THREE.Points(geometry, material('dot', shared, viewport));
    }
    this.choose();
  }

  private quadGeometry(): THREE.BufferGeometry {
    const count = this.rows.length, geometry = new THREE.BufferGeometry();
    const corners = new Float32Array(12 * count), rows = new Float32Array(4 * count), radii = new Float32Array(4 * count);
    const index = new Uint32Array(6 * count), square = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], two = [0, 1, 2, 0, 2, 3];
    for (let i = 0; i < count; i++) {
      corners.set(square, 12 * i);
      rows.fill(this.rows[i], 4 * i, 4 * i + 4);
      radii.fill(this.radii[i], 4 * i, 4 * i + 4);
      two.forEach((corner, k) => (index[6 * i + k] = 4 * i + corner));
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

  /** Before a picture: `pixels` per metre in the middle of it, `towards` the eye. Nearest first: what is hidden is not shaded. */
  prepare(pixels: number, towards: THREE.Vector3, place: Float32Array) {
    if (!this.dots) return;
    this.asDots = pixels * this.meanRadius < SMALL;
    this.choose();
    if (!this.asDots) return;
    const { rows, radii } = this, count = rows.length, depth = new Float32Array(count);
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < count; i++) {
      const at = 4 * rows[i];
      const d = -(place[at] * towards.x + place[at + 1] * towards.y + place[at + 2] * towards.z);
      depth[i] = d;
      if (d < low) low = d;
      if (d > high) high = d;
    }
    const scale = (BUCKETS - 1) / Math.max(high - low, 1e-30), begin = new Uint32Array(BUCKETS + 1);
    for (let i = 0; i < count; i++) begin[1 + Math.floor((depth[i] - low) * scale)]++;
    for (let k = 0; k < BUCKETS; k++) begin[k + 1] += begin[k];
    const rowAttribute = this.dots.geometry.getAttribute('row') as THREE.BufferAttribute;
    const radiusAttribute = this.dots.geometry.getAttribute('radius') as THREE.BufferAttribute;
    for (let i = 0; i < count; i++) {
      const to = begin[Math.floor((depth[i] - low) * scale)]++;
      rowAttribute.array[to] = rows[i];
      radiusAttribute.array[to] = radii[i];
    }
    rowAttribute.needsUpdate = radiusAttribute.needsUpdate = true;
  }
}
