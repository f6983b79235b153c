// Parts of the viewer that need no browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PerspectiveCamera, Vector3 } from 'three';
import { runnerImport } from 'vite';

const load = async (name) => (await runnerImport(`./src/${name}.ts`, { logLevel: 'error', configFile: false })).module;
const { sampledFrames, strongestOf, roundRange } = await load('scales');
const { trailFrames } = await load('trails');
const { muxWebm } = await load('webm');
const { Cover } = await load('cover');
const { nearestShares } = await load('meshes');
const { checkContact, worstContact } = await load('contact_check');
const { fitBox } = await load('fit');
const { nearestIndex } = await load('times');

test('scales are made of frames that the length of the file alone decides', () => {
  assert.deepEqual(sampledFrames(5, true, 100), [0, 1, 2, 3, 4]);
  assert.deepEqual(sampledFrames(0, false, 100), []);
  const some = sampledFrames(1000, true, 100);
  assert.equal(some.length, 64);
  assert.deepEqual([some[0], some[63]], [0, 999]);
  assert.equal(sampledFrames(1000, true, 1e5).length, 10);
  // A run that goes on: anew only when its frames have doubled.
  assert.deepEqual(sampledFrames(600, false, 100), sampledFrames(1000, false, 100));
  assert.notDeepEqual(sampledFrames(600, false, 100), sampledFrames(1100, false, 100));
});

test('one shock does not set the widest chain, but some force does', () => {
  assert.equal(strongestOf([1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 100]), 2);
  assert.equal(strongestOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]), 5);
  assert.equal(strongestOf([]), 0);
  assert.deepEqual(roundRange([0.1, 3], false), [0, 3]);
  assert.deepEqual(roundRange([2, 3], false), [2, 3]);
  assert.deepEqual(roundRange([-1, 3], true), [-3, 3]);
});

test('a trail since the start goes through the same frames while it plays', () => {
  assert.deepEqual(trailFrames(3, 1000, false), { numbers: [0, 1, 2], stride: 1 });
  assert.equal(trailFrames(500, 1000, false).numbers.length, 40);
  const { numbers, stride } = trailFrames(900, 1000, true);
  assert.equal(stride, 5);
  assert.deepEqual(trailFrames(400, 1000, true).numbers, numbers.filter((n) => n < 400));
});

test('a film has its pictures at exact times, in clusters that begin with a key picture', async () => {
  const chunks = Array.from({ length: 250 }, (_, i) => ({ data: Uint8Array.of(i), time: 40 * i, key: i % 100 === 0 }));
  const view = new DataView(await muxWebm(chunks, 'V_VP9', 640, 480, 25).arrayBuffer());
  const CONTAINERS = [0x18538067, 0x1549a966, 0x1654ae6b, 0x1f43b675];
  const found = { times: [], keys: [], duration: 0 };
  let cluster = 0;
  const read = (at, end) => {
    while (at < end) {
      const width = Math.clz32(view.getUint8(at)) - 23;
      let id = 0;
      for (let k = 0; k < width; k++) id = id * 256 + view.getUint8(at + k);
      const size = view.getUint32(at + width + 4), content = at + width + 8;
      if (CONTAINERS.includes(id)) read(content, content + size);
      if (id === 0x4489) found.duration = view.getFloat64(content);
      if (id === 0xe7) for (cluster = 0, at = content; at < content + size; at++) cluster = 256 * cluster + view.getUint8(at);
      if (id === 0xa3) {
        found.times.push(cluster + view.getInt16(content + 1));
        if (view.getUint8(content + 3) & 0x80) found.keys.push(cluster);
      }
      at = content + size;
    }
  };
  read(0, view.byteLength);
  assert.deepEqual(found.times, chunks.map((c) => c.time));
  assert.deepEqual(found.keys, [0, 4000, 8000]);
  assert.equal(found.duration, 10000);
});

test('of balls none is left out that has a pixel of its own, and most of a pile is', () => {
  const rows = [], place = new Float32Array(4 * 20 ** 3);
  for (let i = 0; i < 20 ** 3; i++) {
    // A lattice, moved about by a number that looks like chance.
    const shake = (k) => 0.02 * Math.sin(12.9898 * i + 78.233 * k);
    place.set([(i % 20) * 0.2 - 2 + shake(0), (Math.floor(i / 20) % 20) * 0.2 - 2 + shake(1), Math.floor(i / 400) * 0.2 - 2 + shake(2), 1], 4 * i);
    rows.push(i);
  }
  const width = 300, height = 200, camera = new PerspectiveCamera(35, width / height, 0.1, 100), radius = 0.1;
  camera.position.set(6, -8, 5);
  camera.up.set(0, 0, 1);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const toClip = camera.projectionMatrix.clone().multiply(camera.matrixWorldInverse).elements, e = camera.matrixWorldInverse.elements;
  const view = { toClip, depth: [e[2], e[6], e[10], e[14]], width, height, scale: 0.5 * height * camera.projectionMatrix.elements[5], clip: { x: 0, y: 0, z: 0, w: 1 } };
  const out = new Uint32Array(rows.length), cover = new Cover(new Float32Array(rows), new Float32Array(rows.length).fill(radius));
  const found = new Set(out.slice(0, cover.find(view, place, true, out)));
  const front = new Float32Array(width * height).fill(Infinity), owner = new Int32Array(width * height).fill(-1);
  const p = new Vector3();
  for (const row of rows) {
    p.fromArray(place, 4 * row).applyMatrix4(camera.matrixWorldInverse);
    const depth = -p.z, r = (view.scale * radius) / depth;
    p.applyMatrix4(camera.projectionMatrix);
    const x = (0.5 + 0.5 * p.x) * width, y = (0.5 - 0.5 * p.y) * height;
    for (let j = Math.max(0, Math.floor(y - r)); j <= Math.min(height - 1, y + r); j++)
      for (let i = Math.max(0, Math.floor(x - r)); i <= Math.min(width - 1, x + r); i++)
        if ((i + 0.5 - x) ** 2 + (j + 0.5 - y) ** 2 <= r * r && depth < front[width * j + i]) [front[width * j + i], owner[width * j + i]] = [depth, row];
  }
  const seen = new Set(owner.filter((row) => row >= 0));
  for (const row of seen) assert.ok(found.has(row), `ball ${row} is seen`);
  assert.ok(found.size < 0.4 * rows.length, `${found.size} of ${rows.length}, ${seen.size} have a pixel`);
  // As spheres, which are deeper than their centres: at least those.
  const solid = new Set(out.slice(0, cover.find(view, place, false, out)));
  for (const row of seen) assert.ok(solid.has(row), `ball ${row} is seen`);
  // A cut opens what is behind.
  const cut = { ...view, clip: { x: 0, y: 0, z: 1, w: 0 } };
  for (const row of out.slice(0, cover.find(cut, place, true, out))) assert.ok(place[4 * row + 2] <= 0);
});

test('shares in a triangle are those of its nearest point', () => {
  const a = [0, 0, 0], b = [1, 0, 0], c = [0, 1, 0], near = (have, want) => have.forEach((x, k) => assert.ok(Math.abs(x - want[k]) < 1e-12, `${have}, not ${want}`));
  near(nearestShares([0.25, 0.25, 3], a, b, c), [0.5, 0.25, 0.25]);
  near(nearestShares([2, -1, 0], a, b, c), [0, 1, 0]);
  near(nearestShares([1, 1, 0], a, b, c), [0, 0.5, 0.5]);
  near(nearestShares([0.3, -1, 0], a, b, c), [0.7, 0.3, 0]);
  near(nearestShares([-1, 0.4, 0], a, b, c), [0.6, 0, 0.4]);
});

test('a contact is checked by what is stored of it', () => {
  const contacts = { count: 2, status: Uint8Array.of(3, 2), normal: Float32Array.of(0, 1, 0, 0, 1, 0), impulse: Float32Array.of(-1, 2, 0, 0.5, 2, 0),
    velocity: Float32Array.of(3, 0, 0, 0, 0, 0), gap: Float32Array.of(1e-4, -2e-4) };
  // Sliding at mu = 0.5: on the cone, against the slip.
  assert.deepEqual(checkContact(contacts, 0, 0.5), { complementarity: 0, cone: 0, opposition: 0, agrees: true });
  // With mu = 0.4 the same impulse is 0.2 N s outside, and takes 0.6 J more than friction can.
  const outside = checkContact(contacts, 0, 0.4);
  assert.ok(Math.abs(outside.cone - 0.2) < 1e-12 && Math.abs(outside.opposition + 0.6) < 1e-12 && !outside.agrees);
  assert.deepEqual(checkContact(contacts, 1, 0.5), { complementarity: 0, cone: -0.5, opposition: 0, agrees: true });
  assert.equal(worstContact(contacts, 'penetration'), 1);
  assert.equal(worstContact({ ...contacts, gap: Float32Array.of(0, 1) }, 'penetration'), -1);
  assert.equal(worstContact(contacts, 'residual'), -1);
  assert.equal(worstContact({ ...contacts, residual: Float32Array.of(2e-6, 1e-6) }, 'residual'), 0);
});

test('a box fits into the picture from every side', () => {
  const low = [-1, -2, -5], high = [1, 2, 5], angle = (35 * Math.PI) / 360;
  for (const aspect of [0.5, 1.8]) for (const direction of [new Vector3(0.55, -0.75, 0.4), new Vector3(1, 0, 0), new Vector3(0, -0.001, 1)]) {
    const up = new Vector3(0, 0, 1), { distance } = fitBox(low, high, direction, up, aspect, angle), camera = new PerspectiveCamera(35, aspect, 0.01, 1000);
    camera.up.copy(up);
    camera.position.copy(direction).normalize().multiplyScalar(distance);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const p = new Vector3(...[0, 1, 2].map((k) => ((corner >> k) & 1 ? high[k] : low[k]))).project(camera);
      most = Math.max(most, Math.abs(p.x), Math.abs(p.y));
    }
    assert.ok(most <= 1 && most > 0.6, `reaches ${most} of the picture`);
  }
});

test('the nearest of times', () => {
  assert.equal(nearestIndex([0, 1, 2, 4], 2.9), 2);
  assert.equal(nearestIndex([0, 1, 2, 4], 3.1), 3);
  assert.equal(nearestIndex([0, 1, 2, 4], -5), 0);
  assert.equal(nearestIndex([0], 7), 0);
});
