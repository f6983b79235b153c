// What stays from frame to frame, as the server gives it (docs/viewer-format.md).
import { ENDLESS, FOLLOWS, HELD, textureSpan } from './frame';
import { floats, integers, type Pack } from './pack';

export interface Field {
  name: string;
  unit: string;
  signed: boolean;
  category: boolean;
  categories: string[];
  nodes_only: boolean;
}

interface ShapeRow {
  radius?: number;
  points?: [number, number];
  triangles?: [number, number];
  edges?: [number, number];
}

export class Model {
  readonly about: any;
  readonly dimension: 2 | 3;
  readonly rows: number;
  readonly span: number;
  readonly flags: Uint8Array;
  readonly shapeOf: Int32Array;
  readonly ids: Int32Array;
  readonly masses: Float32Array;
  readonly materials: Int32Array;
  readonly systems: Int32Array; // whose surface a body follows, -1: none
  readonly shapes: ShapeRow[];
  readonly points: Float32Array;
  readonly triangles: Int32Array;
  readonly edges: Int32Array;
  readonly rest?: Float32Array;
  readonly systemOfNode?: Int32Array;
  readonly meshTriangles?: Int32Array;
  readonly meshEdges?: Int32Array;
  readonly names: Map<number, string>;
  readonly fields: Field[];
  readonly low: number[];
  readonly high: number[];
  readonly h: number;
  private reach: number[] = []; // by shape
  private systemTriangles?: number[][];

  constructor(pack: Pack) {
    const about = (this.about = pack.about);
    this.dimension = about.dimension;
    this.shapeOf = integers(pack, 'body.shape')!;
    this.rows = this.shapeOf.length;
    this.span = textureSpan(this.rows);
    this.flags = pack.arrays.get('body.flags')!.numbers as Uint8Array;
    this.ids = integers(pack, 'body.id')!;
    this.masses = floats(pack, 'body.mass')!;
    this.materials = integers(pack, 'body.material')!;
    this.systems = integers(pack, 'body.system')!;
    this.shapes = about.shapes;
    this.points = floats(pack, 'shape.points')!;
    this.triangles = integers(pack, 'shape.triangles')!;
    this.edges = integers(pack, 'shape.edges')!;
    this.rest = floats(pack, 'node.rest');
    this.systemOfNode = integers(pack, 'node.system');
    this.meshTriangles = integers(pack, 'mesh.triangles');
    this.meshEdges = integers(pack, 'mesh.edges');
    this.names = new Map(about.body_names);
    this.fields = about.fields;
    const pad = (v: number[]) => [v[0], v[1], v[2] ?? 0];
    this.low = pad(about.low);
    this.high = pad(about.high);
    this.h = about.h;
  }

  /** Length of the diagonal of what is shown, m. */
  get size(): number {
    return Math.hypot(...this.high.map((x, k) => x - this.low[k])) || 1;
  }

  /** What lines and marks are measured by, m: the mean width of the bodies that move, else of the meshes; a tenth of the picture at most. */
  get grain(): number {
    return Math.min(this.meanWidth() || this.meanMeshWidth() || Infinity, this.size / 10);
  }

  private meanWidth(): number {
    let sum = 0, count = 0;
    for (let row = 0; row < this.rows; row++) {
      if (this.flags[row] & (HELD | ENDLESS | FOLLOWS)) continue;
      sum += this.radiusOf(row);
      if (++count >= 2000) break;
    }
    return count ? (2 * sum) / count : 0;
  }

  private meanMeshWidth(): number {
    const { rest, systemOfNode } = this, boxes = new Map<number, number[]>();
    for (let node = 0; rest && node < rest.length / 3; node++) {
      const system = systemOfNode![node];
      if (!boxes.has(system)) boxes.set(system, [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
      const box = boxes.get(system)!;
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], rest[3 * node + k]);
        box[3 + k] = Math.max(box[3 + k], rest[3 * node + k]);
      }
    }
    const widths = [...boxes.values()].map((box) => (box[3] + box[4] + box[5] - box[0] - box[1] - box[2]) / this.dimension);
    return widths.length ? widths.reduce((a, b) => a + b, 0) / widths.length : 0;
  }

  trianglesOf(system: number): number[] {
    if (!this.systemTriangles) {
      this.systemTriangles = [];
      const { meshTriangles, systemOfNode } = this;
      for (let t = 0; meshTriangles && t < meshTriangles.length; t += 3)
        (this.systemTriangles[systemOfNode![meshTriangles[t]]] ??= []).push(meshTriangles[t], meshTriangles[t + 1], meshTriangles[t + 2]);
    }
    return this.systemTriangles[system] ?? [];
  }

  /** Of the smallest ball about the origin of a body that holds it, m. */
  radiusOf(row: number): number {
    const shape = this.shapes[this.shapeOf[row]], [begin, count] = shape.points ?? [0, 0];
    if (shape.radius === undefined) {
      let most = 0;
      for (let i = begin; i < begin + count; i++)
        most = Math.max(most, Math.hypot(this.points[3 * i], this.points[3 * i + 1], this.points[3 * i + 2]));
      this.reach[this.shapeOf[row]] ??= most;
    }
    return shape.radius ?? this.reach[this.shapeOf[row]];
  }

  nameOf(row: number): string {
    return this.names.get(row) ?? `body ${this.ids[row]}`;
  }

  /** Coefficient of friction of two materials; undefined where the scene does not tell. */
  friction(a: number, b: number): { mu: number; cohesive: boolean } | undefined {
    const [low, high] = [Math.min(a, b), Math.max(a, b)];
    for (const [first, second, mu, cohesive] of this.about.friction)
      if (first === low && second === high) return { mu, cohesive };
    return undefined;
  }
}
