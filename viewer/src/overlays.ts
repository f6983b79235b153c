// What is drawn over bodies: contacts, force chains, joints, trails, the picked contact.
import * as THREE from 'three';
import { CHAIN, measureOf, NONE, type Contacts, type Frame, type Joints } from './frame';
import { contactPlaces } from './meshes';
import type { Model } from './model';
import { paletteTexture } from './palette';
import type { Look } from './picture';
import { material, type Uniforms } from './shaders';

function interleaved(geometry: THREE.InstancedBufferGeometry, data: Float32Array, stride: number, parts: [string, number, number][]) {
  const buffer = new THREE.InstancedInterleavedBuffer(data, stride);
  for (const [name, size, offset] of parts)
    geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(buffer, size, offset));
  geometry.instanceCount = data.length / stride;
}

function instanced(points: number[], index?: number[]): THREE.InstancedBufferGeometry {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(points), 3));
  if (index) geometry.setIndex(index);
  return geometry;
}

const QUAD = [0, 1, 2, 0, 2, 3], CORNERS = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
const CONTACT: [string, number, number][] = [['point', 3, 0], ['normal', 3, 3], ['state', 2, 6]];

export class ContactOverlay {
  readonly group = new THREE.Group();
  readonly chainUniforms: Uniforms = { strongest: { value: 1 }, width: { value: 1 }, threshold: { value: 0 }, reach: { value: 1 } };
  private chainMaterial: THREE.RawShaderMaterial;
  private pointMaterial: THREE.RawShaderMaterial;
  private normalMaterial: THREE.RawShaderMaterial;
  readonly pointUniforms: Uniforms;
  readonly normalUniforms: Uniforms;
  private chains?: THREE.Mesh;
  private points?: THREE.Mesh;
  private normals?: THREE.LineSegments;

  constructor(private model: Model, shared: Uniforms, status: Uniforms, viewport: Uniforms) {
    const grain = model.grain;
    this.chainUniforms.reach.value = grain;
    this.pointUniforms = { ...viewport, pixels: { value: 8 }, reach: { value: 0 }, showOpen: { value: 0 }, largest: { value: 1 }, hole: { value: 0 },
      contactScale: { value: paletteTexture(false) } };
    this.normalUniforms = { ...this.pointUniforms, pixels: { value: 0 }, reach: { value: 0.35 * grain } };
    const over = { depthTest: false, transparent: true, side: THREE.DoubleSide };
    this.chainMaterial = material('chain', shared, { ...this.chainUniforms, ...status, alpha: { value: 0.85 } }, over);
    this.pointMaterial = material('contact', shared, { ...this.pointUniforms, ...status }, over);
    this.normalMaterial = material('contact', shared, { ...this.normalUniforms, ...status }, over);
  }

  update(frame: Frame, show: Pick<Look, 'chains' | 'points' | 'normals' | 'magnify' | 'contactColour'>) {
    const { contacts } = frame;
    for (const old of [this.chains, this.points, this.normals]) {
      if (!old) continue;
      this.group.remove(old);
      old.geometry.dispose();
    }
    this.chains = this.points = this.normals = undefined;
    if (!contacts || !(show.chains || show.points || show.normals)) return;
    const places = contactPlaces(frame, this.model, show.magnify);
    if (show.chains && contacts.chains.length) {
      const geometry = instanced([-1, 0, 0, 1, 0, 0, 1, 1, 0, -1, 1, 0], QUAD);
      interleaved(geometry, this.chainData(contacts, places), CHAIN, [['from', 3, 0], ['to', 3, 3], ['load', 3, 6]]);
      this.group.add((this.chains = this.own(new THREE.Mesh(geometry, this.chainMaterial), 1)));
    }
    const data = show.points || show.normals ? this.pointData(contacts, places, show.contactColour) : null;
    if (data && show.normals && contacts.normal) {
      const geometry = instanced([0, 0, 0, 0, 0, 1]);
      interleaved(geometry, data, 8, CONTACT);
      this.group.add((this.normals = this.own(new THREE.LineSegments(geometry, this.normalMaterial), 2)));
    }
    if (data && show.points) {
      const geometry = instanced(CORNERS, QUAD);
      interleaved(geometry, data, 8, CONTACT);
      this.group.add((this.points = this.own(new THREE.Mesh(geometry, this.pointMaterial), 3)));
    }
  }

  private own<T extends THREE.Object3D>(object: T, order: number): T {
    object.frustumCulled = false;
    object.renderOrder = 10 + order;
    return object;
  }

  // Lines begin at their contact; those along a force go with it as a whole.
  private chainData({ chains, chainContact, point }: Contacts, places: Float32Array): Float32Array {
    if (places === point) return chains;
    const moved = chains.slice();
    chainContact.forEach((contact, line) => {
      for (let k = 0; k < 3; k++) {
        const shift = places[3 * contact + k] - point[3 * contact + k];
        moved[CHAIN * line + k] += shift;
        if (moved[CHAIN * line + 8]) moved[CHAIN * line + 3 + k] += shift;
      }
    });
    return moved;
  }

  private pointData(contacts: Contacts, places: Float32Array, colour: Look['contactColour']): Float32Array {
    const data = new Float32Array(8 * contacts.count);
    for (let i = 0; i < contacts.count; i++) {
      for (let k = 0; k < 3; k++) {
        data[8 * i + k] = places[3 * i + k];
        data[8 * i + 3 + k] = contacts.normal?.[3 * i + k] ?? 0;
      }
      data[8 * i + 6] = contacts.status[i];
      data[8 * i + 7] = colour === 'status' ? NONE : measureOf(contacts, colour, i) ?? NONE;
    }
    return data;
  }
}

/** Lines and marks by a list of points, two for each line; cut where `shared` has the plane of the cut. */
export class Lines {
  readonly object: THREE.LineSegments;
  private paint: THREE.RawShaderMaterial;

  constructor(order: number, depthTest: boolean, shared: Uniforms) {
    this.paint = material('line', shared, { ink: { value: new THREE.Color() } }, { depthTest, transparent: true });
    this.object = new THREE.LineSegments(new THREE.BufferGeometry(), this.paint);
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }

  update(points: number[] | Float32Array, colour: string) {
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry();
    this.object.geometry.setAttribute('position', new THREE.BufferAttribute(points instanceof Float32Array ? points : new Float32Array(points), 3));
    this.paint.uniforms.ink.value.set(colour);
    this.object.visible = points.length > 0;
  }
}

/** A ring of so many pixels about a place, over all else: what is picked is found at a glance. */
export class Ring {
  readonly object: THREE.Mesh;
  private place = new Float32Array(8);
  private ink = { value: new THREE.Color() };

  constructor(order: number, shared: Uniforms, viewport: Uniforms) {
    const own = { ...viewport, pixels: { value: 26 }, reach: { value: 0 }, showOpen: { value: 1 }, largest: { value: 1 }, hole: { value: 0.74 },
      contactScale: { value: null }, stick: this.ink, slide: this.ink, open: this.ink };
    const geometry = instanced(CORNERS, QUAD);
    this.place[7] = NONE;
    interleaved(geometry, this.place, 8, CONTACT);
    this.object = new THREE.Mesh(geometry, material('contact', shared, own, { depthTest: false, transparent: true, side: THREE.DoubleSide }));
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }

  update(place: number[] | undefined, colour: string) {
    this.object.visible = place !== undefined;
    if (!place) return;
    this.place.set(place);
    (this.object.geometry.getAttribute('point') as THREE.InterleavedBufferAttribute).data.needsUpdate = true;
    this.ink.value.set(colour);
  }
}

/** A line between the two points of each joint, and a cross at the second. */
export function jointLines(joints: Joints | undefined, size: number): number[] {
  const points: number[] = [];
  for (let i = 0; joints && i < joints.count; i++) {
    const a = [...joints.point.subarray(3 * i, 3 * i + 3)], b = [...joints.pointB.subarray(3 * i, 3 * i + 3)];
    if (![...a, ...b].every(Number.isFinite)) continue;
    points.push(...a, ...b);
    for (let k = 0; k < 3; k++) {
      const from = [...b], to = [...b];
      from[k] -= size;
      to[k] += size;
      points.push(...from, ...to);
    }
  }
  return points;
}

/** Lines through the places of bodies in frames one after the other (by row of the model, 4 each). */
export function trailLines(places: Float32Array[], rows: number[], longest: number): Float32Array {
  const points = new Float32Array(6 * rows.length * Math.max(0, places.length - 1));
  let used = 0;
  for (const row of rows)
    for (let i = 1; i < places.length; i++) {
      const a = places[i - 1], b = places[i];
      if (!a[4 * row + 3] || !b[4 * row + 3]) continue;
      let length = 0;
      for (let k = 0; k < 3; k++) length = Math.max(length, Math.abs(b[4 * row + k] - a[4 * row + k]));
      if (length > longest) continue; // through a periodic border
      for (let k = 0; k < 3; k++) {
        points[used + k] = a[4 * row + k];
        points[used + 3 + k] = b[4 * row + k];
      }
      used += 6;
    }
  return points.subarray(0, used);
}
