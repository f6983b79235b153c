// Geometry of all bodies, made once: balls (balls.ts), shapes that many bodies have as instances, the others merged.
import * as THREE from 'three';
import { ENDLESS, FOLLOWS, HELD } from './frame';
import { Balls } from './balls';
import type { Model } from './model';
import { material, type Uniforms } from './shaders';

const MANY = 16; // bodies of one shape are instances from here on
const MOST_EDGES = 400_000;

function bufferGeometry(points: Float32Array, index: number[] | Uint32Array, rows: Float32Array,
                        instances: number | null): THREE.BufferGeometry {
  const geometry = instances === null ? new THREE.BufferGeometry() : new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(index instanceof Uint32Array ? index : new Uint32Array(index), 1));
  geometry.setAttribute('row', instances === null ? new THREE.BufferAttribute(rows, 1) : new THREE.InstancedBufferAttribute(rows, 1));
  if (geometry instanceof THREE.InstancedBufferGeometry) geometry.instanceCount = instances!;
  return geometry;
}

export class Bodies {
  readonly group = new THREE.Group();
  balls?: Balls;
  private walls: THREE.RawShaderMaterial[] = [];
  private objects: { object: THREE.Object3D; isWall: boolean; isLine: boolean }[] = [];

  constructor(model: Model, shared: Uniforms, ink: Uniforms, viewport: Uniforms, smooth: boolean) {
    const balls: number[] = [], byShape = new Map<string, number[]>();
    for (let row = 0; row < model.rows; row++) {
      const flags = model.flags[row];
      if (flags & FOLLOWS) continue;
      if (model.shapes[model.shapeOf[row]].radius) balls.push(row);
      else {
        const wall = flags & (HELD | ENDLESS) ? 1 : 0, key = `${wall}${flags & ENDLESS ? 1 : 0}:${model.shapeOf[row]}`;
        if (!byShape.has(key)) byShape.set(key, []);
        byShape.get(key)!.push(row);
      }
    }
    if (balls.length) this.addBalls(model, balls, shared, viewport, smooth);
    const solid = material('surface', shared, {}, { side: THREE.DoubleSide });
    const wall = material('surface', shared, { alpha: { value: 1 } }, { side: THREE.DoubleSide });
    const endless = material('surface', shared, { alpha: { value: 1 } }, { side: model.dimension === 2 ? THREE.DoubleSide : THREE.FrontSide });
    // Edges are drawn a little before the faces they are on.
    for (const one of [solid, wall, endless])
      Object.assign(one, { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    this.walls = [wall, endless];
    const line = material('surfaceLine', shared, ink, { transparent: true });
    const materials: Record<string, THREE.RawShaderMaterial> = { '00': solid, '10': wall, '11': endless };
    const merged = new Map<string, number[][]>();
    let edges = 0;
    for (const rows of byShape.values()) edges += rows.length * model.shapes[model.shapeOf[rows[0]]].edges![1];
    for (const [key, rows] of byShape) {
      const kind = key.slice(0, 2);
      if (rows.length >= MANY) this.addInstances(model, rows, kind, materials[kind], edges <= MOST_EDGES ? line : null);
      else merged.set(kind, [...(merged.get(kind) ?? []), rows]);
    }
    for (const [kind, lists] of merged)
      this.addMerged(model, lists.flat(), kind, materials[kind], edges <= MOST_EDGES ? line : null);
  }

  private put(object: THREE.Object3D, kind: string, isLine: boolean) {
    object.frustumCulled = false;
    this.group.add(object);
    this.objects.push({ object, isWall: kind !== '00', isLine });
  }

  private addBalls(model: Model, rows: number[], shared: Uniforms, viewport: Uniforms, smooth: boolean) {
    this.balls = new Balls(model, rows, shared, viewport, smooth);
    this.put(this.balls.quads, '00', false);
    if (this.balls.dots) this.put(this.balls.dots, '00', false);
  }

  private addInstances(model: Model, rows: number[], kind: string, faces: THREE.Material, line: THREE.Material | null) {
    const shape = model.shapes[model.shapeOf[rows[0]]];
    const points = model.points.slice(3 * shape.points![0], 3 * (shape.points![0] + shape.points![1]));
    const numbers = new Float32Array(rows);
    const part = (all: Int32Array, [begin, count]: [number, number], width: number) =>
      Uint32Array.from(all.subarray(width * begin, width * (begin + count)));
    if (shape.triangles![1])
      this.put(new THREE.Mesh(bufferGeometry(points, part(model.triangles, shape.triangles!, 3), numbers, rows.length), faces), kind, false);
    if (line && shape.edges![1])
      this.put(new THREE.LineSegments(bufferGeometry(points, part(model.edges, shape.edges!, 2), numbers, rows.length), line), kind, true);
  }

  private addMerged(model: Model, rows: number[], kind: string, faces: THREE.Material, line: THREE.Material | null) {
    const shapes = rows.map((row) => model.shapes[model.shapeOf[row]]);
    const total = shapes.reduce((sum, shape) => sum + shape.points![1], 0);
    const points = new Float32Array(3 * total), numbers = new Float32Array(total);
    const triangles: number[] = [], edges: number[] = [];
    let first = 0;
    rows.forEach((row, i) => {
      const shape = shapes[i], [begin, count] = shape.points!;
      points.set(model.points.subarray(3 * begin, 3 * (begin + count)), 3 * first);
      numbers.fill(row, first, first + count);
      const [triangle, triangleCount] = shape.triangles!, [edge, edgeCount] = shape.edges!;
      for (let k = 3 * triangle; k < 3 * (triangle + triangleCount); k++) triangles.push(first + model.triangles[k]);
      for (let k = 2 * edge; k < 2 * (edge + edgeCount); k++) edges.push(first + model.edges[k]);
      first += count;
    });
    if (triangles.length) this.put(new THREE.Mesh(bufferGeometry(points, triangles, numbers, null), faces), kind, false);
    if (line && edges.length) this.put(new THREE.LineSegments(bufferGeometry(points, edges, numbers, null), line), kind, true);
  }

  show(walls: 'solid' | 'glass' | 'hidden', edges: boolean) {
    for (const { object, isWall, isLine } of this.objects)
      object.visible = (edges || !isLine) && (walls !== 'hidden' || !isWall);
    this.balls?.choose();
    for (const one of this.walls) {
      one.uniforms.alpha.value = walls === 'glass' ? 0.25 : 1;
      one.transparent = walls === 'glass';
      one.depthWrite = walls !== 'glass';
    }
  }

  dispose() {
    this.group.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.LineSegments) {
        object.geometry.dispose();
        (object.material as THREE.Material).dispose();
      }
    });
  }
}
