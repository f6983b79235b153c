// What is shown: scales, colours, meshes, cuts, links, what is picked.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { app, countPixels, demo, goLast, open, pageAt, pictureHash, saltus, scene, serve, settled, shot } from './drive.mjs';

const STICK = '#1c5ca8', SLIDE = '#d6452e', RING = '#b5128f';
const wall = () => scene('elastic-wall', 'wall.h5', '--set', 'run.until=0.002');
const arch = () => scene('arch-3d', 'arch.h5', '--set', 'run.until=0.05');
const legend = (page) => page.locator('.legend').innerText();
/** With the address of a file, a page of it, and both ended. */
async function withPage(file, hash, use, options) {
  const { child, address } = await serve(file), { page, close } = await open(address + hash, options);
  try {
    await use(page, address);
    await close();
  } finally {
    child.kill();
  }
}

export const shownTests = {
  async 'scales of chains and colours do not depend on the frames that were looked at'() {
    await withPage(demo(), '#chains=1&colour=velocity', async (page) => {
      await goLast(page);
      const before = [await legend(page), await pictureHash(page)];
      for (let i = 0; i <= 20; i++) await app(page, (n) => saltusViewer.player.go(n), i);
      await goLast(page);
      assert.deepEqual([await legend(page), await pictureHash(page)], before);
      assert.match(before[0], /widest [\d.e+-]+ N s/);
    });
  },

  async 'what sticks is blue and what slides red, as in pictures of saltus render'() {
    await withPage(demo(), '#chains=1&threshold=0', async (page) => {
      await goLast(page);
      const [sticks, slides] = await app(page, () => [2, 3].map((s) => saltusViewer.picture.frame.contacts.status.filter((x) => x === s).length));
      assert.ok(sticks > 5);
      assert.ok((await countPixels(page, STICK)) > 50);
      const keys = await app(page, () => [...document.querySelectorAll('.legend .key')].map((k) => [k.textContent, k.firstChild.style.background]));
      assert.deepEqual(keys, [['stick', 'rgb(28, 92, 168)'], ['slide', 'rgb(214, 69, 46)']]);
      if (!slides) assert.ok((await countPixels(page, SLIDE)) < 5);
    });
  },

  async 'a bar tells a length of the picture, and what is saved has it with legend, title and time'() {
    for (const [file, dimension] of [[demo(), 2], [arch(), 3]])
      await withPage(file, '#colour=velocity', async (page) => {
        await goLast(page);
        await settled(page);
        const [length, pixels] = await app(page, () => {
          const { gauge, picture } = saltusViewer, target = picture.controls.target.toArray(), right = [0, 1, 2].map((k) => picture.camera.matrixWorld.elements[k]);
          const [a, b] = [0, 1].map((far) => picture.project(...target.map((x, k) => x + far * gauge.length * right[k])));
          return [gauge.length, Math.hypot(b[0] - a[0], b[1] - a[1])];
        });
        assert.ok(pixels > 40 && pixels < 121, `${length} m are ${pixels} px`);
        // Pixels of the saved picture that are not those of the canvas, by the quarter of the picture they are in.
        const changed = async () => {
          const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG' }).click()]);
          const bytes = [...readFileSync(await saved.path())];
          return app(page, async (numbers) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(numbers)])), { picture } = saltusViewer, { width, height } = picture.canvas;
            picture.redraw();
            const [now, then] = [picture.canvas, image].map((source) => {
              const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d');
              context.drawImage(source, 0, 0);
              return context.getImageData(0, 0, width, height).data;
            });
            const counts = [0, 0, 0, 0];
            for (let i = 0; i < now.length; i += 4)
              if ([0, 1, 2].some((k) => Math.abs(now[i + k] - then[i + k]) > 20)) counts[(i / 4 % width < width / 2 ? 0 : 1) + (i / 4 / width < height / 2 ? 0 : 2)]++;
            return counts;
          }, bytes);
        };
        const [title, time, legend, bar] = await changed();
        assert.ok(title > 100 && time > 20 && legend > 1000 && bar > 100, `${dimension}D: ${[title, time, legend, bar]}`);
        await app(page, () => (saltusViewer.look.labels = false));
        assert.deepEqual(await changed(), [0, 0, 0, 0]);
      });
  },

  async 'a joint tells its angle in rad, and plots it beside its force'() {
    await withPage(scene('scissor-lift', 'lift.h5', '--set', 'run.until=0.2'), '', async (page) => {
      await goLast(page);
      const angle = await app(page, () => {
        const { joints } = saltusViewer.picture.frame, i = saltusViewer.model.about.joint_turns.findIndex((turns) => turns.length === 1 && turns[0]);
        saltusViewer.pick({ kind: 'joint', which: i });
        return joints.value[3 * joints.which.indexOf(i)];
      });
      const said = (await page.locator('.side').innerText()).match(/angle\s+([\d.e+-]+) rad/);
      assert.ok(Math.abs(Number(said[1]) - angle) < 1e-3 * Math.abs(angle), `${said[1]} of ${angle}`);
      await page.getByRole('button', { name: 'plot over time' }).click();
      await page.waitForFunction(() => saltusViewer.plots.extra.length === 2);
      assert.deepEqual(await app(page, () => saltusViewer.plots.extra.map((c) => [c.name, c.unit])), [['picked: joint', 'N s'], ['picked: angle', 'rad']]);
    });
  },

  async 'the rim of a disk is smooth, and what is picked has a ring'() {
    await withPage(demo(), '#points=1', async (page) => {
      await goLast(page);
      const row = await app(page, () => [...saltusViewer.picture.frame.rows].find((r) => saltusViewer.picture.frame.place[4 * r + 3] === 1));
      const [x, y] = await app(page, (r) => saltusViewer.picture.project(...saltusViewer.picture.frame.place.subarray(4 * r, 4 * r + 3)), row);
      await countPixels(page);
      // Along a line through the disk: paper, ink and stone are three colours, those between them are the smooth edges.
      const between = await app(page, ([x, y]) => {
        const { width } = saltusViewer.picture.canvas, seen = new Set();
        for (let up = -50; up < 50; up++) for (let i = -60; i < 60; i++) seen.add([0, 1, 2].map((k) => pixels[4 * (Math.round(x + i) + width * Math.round(y + up)) + k]).join());
        return seen.size;
      }, [x, y]);
      assert.ok(between > 20, `${between} colours`);
      assert.ok((await countPixels(page, RING)) < 5);
      await app(page, () => {
        const { contacts } = saltusViewer.picture.frame, i = contacts.status.indexOf(2);
        saltusViewer.pick({ kind: 'contact', a: contacts.a[i], b: contacts.b[i], feature: contacts.feature[i] });
      });
      await page.waitForFunction(() => saltusViewer.pickedContact() >= 0);
      assert.ok((await countPixels(page, RING)) > 60);
    });
  },

  async 'a higher threshold draws fewer chains, and the widest can be chosen'() {
    await withPage(demo(), '#chains=1&threshold=0', async (page) => {
      await goLast(page);
      const all = await countPixels(page, STICK);
      await app(page, () => { saltusViewer.look.threshold = 0.5; return saltusViewer.refresh(); });
      const some = await countPixels(page, STICK);
      assert.ok(some < 0.7 * all, `${some} of ${all} pixels`);
      await page.getByLabel('threshold').fill('0');
      await page.getByLabel('widest chain').fill('1000');
      await page.getByLabel('widest chain').press('Tab');
      assert.ok((await countPixels(page, STICK)) < 0.7 * all, 'thin by a scale of 1000 N s');
      assert.match(await legend(page), /widest 1000 N s/);
    });
  },

  async 'contacts of meshes have lines along their force, and go with the magnified mesh'() {
    await withPage(wall(), '#walls=hidden', async (page) => {
      await goLast(page);
      const none = await countPixels(page, STICK);
      await page.keyboard.press('c');
      await page.waitForFunction(() => saltusViewer.picture.frame.contacts?.chains.length > 0);
      assert.ok((await countPixels(page, STICK)) > none + 300, 'lines of forces');
      // A contact of a block with the block below: where its nodes are drawn, within the shift that they have.
      const apart = await app(page, async () => {
        const { look, model, picture } = saltusViewer;
        look.points = true;
        look.magnify = 2000;
        await saltusViewer.refresh();
        const at = picture.contacts.points.geometry.getAttribute('point'), { frame } = picture, u = frame.displacement;
        const drawn = model.rest.map((x, i) => x + 2000 * u[i]), far = [], stayed = [];
        for (let i = 0; i < frame.contacts.count; i++) {
          const p = [at.getX(i), at.getY(i)], own = frame.contacts.point.subarray(3 * i, 3 * i + 2);
          let nearest = Infinity;
          for (let n = 0; n < drawn.length; n += 3) nearest = Math.min(nearest, Math.hypot(drawn[n] - p[0], drawn[n + 1] - p[1]));
          far.push(nearest);
          stayed.push(Math.hypot(p[0] - own[0], p[1] - own[1]));
        }
        return { far: Math.max(...far), moved: Math.max(...stayed), most: 2000 * Math.max(...u.map(Math.abs)) };
      });
      // Edges are 0.05 m long: a point of one is at most half of it from its nodes, and as much again where they are stretched.
      assert.ok(apart.far < 0.05, `${apart.far} m from the mesh`);
      assert.ok(apart.moved > 0.3 * apart.most && apart.most > 0.01, `moved ${apart.moved} of ${apart.most} m`);
      await shot(page, 'mesh-magnified');
    });
  },

  async 'the mark of a picked node is where the magnified mesh is'() {
    await withPage(wall(), '#magnify=2000&pick=node,700', async (page) => {
      await goLast(page);
      const [mark, node] = await app(page, () => {
        const { model, picture } = saltusViewer, g = picture.markLines.object.geometry.getAttribute('position').array;
        return [[(g[0] + g[3]) / 2, (g[1] + g[4]) / 2], [0, 1].map((k) => model.rest[2100 + k] + 2000 * picture.frame.displacement[2100 + k])];
      });
      mark.forEach((x, k) => assert.ok(Math.abs(x - node[k]) < 1e-5, `${mark} and ${node}`));
    });
  },

  async 'a node tells and plots the fields that are stored of it, a body its spin and the field of its colour'() {
    await withPage(wall(), '#pick=node,700', async (page) => {
      await goLast(page);
      await page.getByText('stress.mises', { exact: true }).waitFor();
      assert.match(await page.locator('.side').innerText(), /stress\.yy\s+-?[\d.e+-]+ Pa/);
      await page.getByRole('button', { name: 'plot over time' }).click();
      await page.getByRole('button', { name: 'picked: stress' }).click();
      assert.match(await page.locator('.plots .lines').innerText(), /mises\s+[\d.e+-]+ Pa/);
    });
    await withPage(demo(), '', async (page) => {
      await goLast(page);
      const row = await app(page, () => [...saltusViewer.picture.frame.rows].find((r) => saltusViewer.picture.frame.place[4 * r + 3] === 1));
      await page.getByLabel('colour by').selectOption('force');
      await app(page, (r) => saltusViewer.pick({ kind: 'body', row: r }), row);
      await goLast(page);
      assert.match(await page.locator('.side').innerText(), /spin\s+-?[\d.e+-]+ rad\/s\s+force\s+[\d.e+-]+ N/);
      await page.getByRole('button', { name: 'plot over time' }).click();
      for (const name of ['picked: spin', 'picked: force']) await page.getByRole('button', { name }).click();
    });
  },

  async 'the address holds all that is shown, and leads back to the same picture'() {
    const { child, address } = await serve(arch()), first = await open(address), { page } = first;
    await goLast(page);
    for (const key of ['6', '7', 'c', 'n', 'o', 'd']) await page.keyboard.press(key);
    await page.getByLabel('colour by').selectOption('displacement');
    await page.getByLabel('lowest value').fill('0.0001');
    await page.getByLabel('highest value').fill('0.002');
    await page.getByLabel('highest value').press('Tab');
    await page.getByLabel('walls', { exact: true }).selectOption('glass');
    await page.getByLabel('trails').selectOption('all');
    await page.getByLabel('told as').or(page.getByLabel('size of chains')).selectOption('force');
    await page.getByLabel('threshold').fill('0.1');
    await page.getByText('View', { exact: true }).click();
    await page.getByLabel('cut across').selectOption('0');
    await page.getByLabel('cut at').fill('0.6');
    await page.getByLabel('other side').check();
    await app(page, () => {
      const { a, b, feature } = saltusViewer.picture.frame.contacts;
      saltusViewer.pick({ kind: 'contact', a: a[3], b: b[3], feature: feature[3] });
    });
    const state = () => {
      const { look, range, inspector, picked, player, picture } = saltusViewer;
      return { look, range, forces: inspector.forces, picked, now: player.now, camera: picture.cameraState() };
    };
    // The address is written a little later, and holds seven digits.
    await app(page, () => saltusViewer.picture.setCameraState(saltusViewer.picture.cameraState()));
    await page.waitForTimeout(700);
    const expected = [await app(page, state), await pictureHash(page), await legend(page)], link = page.url();
    await first.close();
    const second = await open(link);
    assert.deepEqual([await app(second.page, state), await pictureHash(second.page), await legend(second.page)], expected);
    assert.match(await second.page.locator('.side').innerText(), /contact of .*mean force/s);
    await second.close();
    child.kill();
  },

  async 'a cut takes away what is on its side: bodies, contacts and trails'() {
    await withPage(arch(), '#walls=hidden', async (page) => {
      await goLast(page);
      const whole = await countPixels(page);
      const cut = async (at, flip) => {
        await app(page, ([a, f]) => { Object.assign(saltusViewer.look, { clipAxis: 0, clipAt: a, flip: f }); return saltusViewer.refresh(); }, [at, flip]);
        return countPixels(page);
      };
      const [left, right] = [await cut(0.5, false), await cut(0.5, true)];
      assert.ok(left > 0.1 * whole && left < 0.9 * whole && right > 0.1 * whole && right < 0.9 * whole, `${left} and ${right} of ${whole} pixels`);
      assert.equal(await cut(-0.05, false), 0);
    });
    await withPage(demo(), '#trails=all', async (page) => {
      await goLast(page);
      const trail = await countPixels(page, '#3c6e9f');
      assert.ok(trail > 200, `${trail} pixels of trails`);
      await app(page, () => { Object.assign(saltusViewer.look, { clipAxis: 0, clipAt: -0.05 }); return saltusViewer.refresh(); });
      assert.ok((await countPixels(page, '#3c6e9f')) < 0.02 * trail, 'trails are cut too');
    });
  },

  async 'keys 1 to 7 look from seven sides, each with everything in the picture'() {
    await withPage(arch(), '#walls=hidden', async (page) => {
      const seen = new Set();
      for (let key = 1; key <= 7; key++) {
        await page.keyboard.press(String(key));
        await settled(page);
        seen.add(await pictureHash(page));
        const outside = await app(page, () => {
          const { picture, model } = saltusViewer, { width, height } = picture.canvas.getBoundingClientRect(), { place, rows } = picture.frame;
          return [...rows].filter((r) => place[4 * r + 3] === 1 && !(model.flags[r] & 3)).filter((r) => {
            const [x, y] = picture.project(place[4 * r], place[4 * r + 1], place[4 * r + 2]);
            return x < 0 || y < 0 || x > width || y > height;
          }).length;
        });
        assert.equal(outside, 0, `bodies outside from side ${key}`);
      }
      // Front and back, left and right of an arch may be alike.
      assert.ok(seen.size >= 4, `${seen.size} different pictures`);
    });
  },

  async 'a drum is in the picture as a whole, and joints are small beside their bodies'() {
    saltus('run', 'drum', '--set', 'run.until=0.02', '--out', 'drum.h5', '--quiet');
    await withPage('drum.h5', '', async (page) => {
      const outside = await app(page, () => {
        const { picture, model } = saltusViewer, { width, height } = picture.canvas.getBoundingClientRect(), { place } = picture.frame;
        let count = 0;
        for (let row = 0; row < model.rows; row++) {
          const { points } = model.shapes[model.shapeOf[row]];
          if (!points || !(model.flags[row] & 2)) continue;
          for (let i = points[0]; i < points[0] + points[1]; i++) {
            const [x, y] = picture.project(place[4 * row] + model.points[3 * i], place[4 * row + 1] + model.points[3 * i + 1], 0);
            if (x < 0 || y < 0 || x > width || y > height) count++;
          }
        }
        return count;
      });
      assert.equal(outside, 0, 'points of the drum outside of the picture');
      await shot(page, 'drum');
    });
    saltus('run', 'four-bar-clearance', '--set', 'run.until=0.01', '--out', 'bars.h5', '--quiet');
    await withPage('bars.h5', '', async (page) => {
      const size = await app(page, () => {
        const { picture } = saltusViewer, g = picture.jointLines.object.geometry.getAttribute('position');
        const [a, b] = [2, 3].map((i) => picture.project(g.getX(i), g.getY(i), g.getZ(i)));
        return Math.hypot(a[0] - b[0], a[1] - b[1]);
      });
      assert.ok(size > 6 && size < 40, `a cross of ${size} px`);
    });
  },

  async 'worst penetration leads to the frame and to the contact that is deepest in it'() {
    await withPage(demo(), '', async (page) => {
      await page.getByText('Certificate', { exact: true }).click();
      await page.getByRole('button', { name: /^worst penetration/ }).click();
      await page.waitForFunction(() => saltusViewer.picked?.kind === 'contact' || document.querySelector('.message').textContent);
      await app(page, () => saltusViewer.goWhole(saltusViewer.player.now));
      const [found, deepest] = await app(page, () => {
        const { gap } = saltusViewer.picture.frame.contacts, least = Math.min(...gap);
        return [gap[saltusViewer.pickedContact()], least];
      });
      assert.equal(found, deepest);
      assert.match(await page.locator('.side').innerText(), /residual of its law.*Computed here from the stored frame/s);
    });
  },

  async 'worst residual leads to the contact that has it, and contacts are coloured by it'() {
    await withPage(demo(), '#points=1&contacts=residual', async (page) => {
      await page.getByText('Certificate', { exact: true }).click();
      await page.getByRole('button', { name: /^worst residual/ }).click();
      await page.waitForFunction(() => saltusViewer.picked?.kind === 'contact' || document.querySelector('.message').textContent);
      await app(page, () => saltusViewer.goWhole(saltusViewer.player.now));
      const [found, largest, data, range] = await app(page, () => {
        const { contacts } = saltusViewer.picture.frame, i = saltusViewer.pickedContact(), state = saltusViewer.picture.contacts.points.geometry.getAttribute('state');
        return [contacts.residual[i], Math.max(...contacts.residual), state.getY(i), saltusViewer.look.contactRange];
      });
      assert.ok(found > 0);
      assert.deepEqual([found, data], [largest, largest]);
      assert.ok(range >= largest); // of all frames: they are few
      assert.match(await legend(page), /residual of contacts, m\/s/);
      assert.match(page.url(), /contacts=residual/);
      const seen = await pictureHash(page);
      await page.getByLabel('contacts coloured by').selectOption('penetration');
      await page.waitForFunction(() => /penetration of contacts, m/.test(document.querySelector('.legend').innerText));
      await page.getByLabel('contacts coloured by').selectOption('status');
      await app(page, () => saltusViewer.goWhole(saltusViewer.player.now));
      assert.doesNotMatch(await legend(page), /of contacts, m/);
      assert.notEqual(await pictureHash(page), seen);
    });
  },

  async 'a click finds a contact of a magnified mesh where it is drawn'() {
    await withPage(wall(), '#magnify=2000&points=1', async (page) => {
      await goLast(page);
      const [point, own] = await app(page, () => {
        const { picture } = saltusViewer, at = picture.contacts.points.geometry.getAttribute('point'), { contacts } = picture.frame;
        const i = contacts.status.findIndex((s, k) => s > 1 && Math.abs(at.getY(k) - contacts.point[3 * k + 1]) > 0.02);
        return [[at.getX(i), at.getY(i), 0], [at.getY(i), contacts.point[3 * i + 1]]];
      });
      assert.notEqual(own[0], own[1]);
      await page.mouse.click(...(await pageAt(page, point)));
      assert.equal(await app(page, () => saltusViewer.picked?.kind), 'contact');
    });
  },
};
