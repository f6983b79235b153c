// The viewer in a browser without a window, on files that the program itself wrote; drive.mjs tells what it needs. A word: only tests whose
// names hold it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { app, colours, demo, exportPage, open, runTests, saltus, seenAt, serve, serveSoon, settled, shot, spawnSaltus } from './drive.mjs';
import { shownTests } from './shown_tests.mjs';
import { useTests } from './use_tests.mjs';

const tests = {
  async 'a scene of the plane loads, plays, is coloured, picked and plotted'() {
    const { child, address } = await serve(demo()), { page, close } = await open(address);
    assert.ok((await colours(page)) > 3);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => saltusViewer.player.now > 5);
    await page.keyboard.press(' ');
    assert.equal(await app(page, () => saltusViewer.player.playing), false);
    await page.keyboard.press('End');
    await page.waitForFunction(() => saltusViewer.picture.frame.number === saltusViewer.player.last);
    await page.getByLabel('colour by').selectOption('velocity');
    await page.waitForFunction(() => saltusViewer.picture.frame.value);
    assert.ok((await colours(page)) > 20, 'a scale of colours');
    await page.keyboard.press('c');
    await page.waitForFunction(() => saltusViewer.picture.frame.contacts?.chains.length > 0);
    await shot(page, 'plane-desktop-light');
    await page.keyboard.press('c');
    // The ball, by name; the very body under the pointer.
    const row = await app(page, () => [...saltusViewer.picture.frame.rows].find((r) => saltusViewer.picture.frame.place[4 * r + 3] === 1));
    await page.mouse.click(...(await seenAt(page, row)));
    assert.deepEqual(await app(page, () => saltusViewer.picked), { kind: 'body', row });
    await page.getByRole('button', { name: 'plot over time' }).click();
    await page.waitForFunction(() => saltusViewer.plots.chosen === 'picked: position');
    await settled(page);
    await shot(page, 'plane-picked');
    // The plot leads to a time.
    const box = await page.locator('.plots .u-over').boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => Math.abs(saltusViewer.player.now / saltusViewer.player.last - 0.5) < 0.05);
    await close();
    child.kill('SIGINT');
    assert.equal(await new Promise((done) => child.on('exit', (code) => done(code))), 0, 'Ctrl-C ends it');
  },

  async 'a contact is picked and its impulse is in its cone'() {
    const { child, address } = await serve(demo()), { page, close } = await open(`${address}#points=1&t=0`);
    await page.keyboard.press('End');
    await page.waitForFunction(() => saltusViewer.picture.frame.number === saltusViewer.player.last && saltusViewer.picture.frame.contacts);
    const [x, y, i] = await app(page, () => {
      const { picture } = saltusViewer, c = picture.frame.contacts, box = picture.canvas.getBoundingClientRect();
      const i = c.status.findIndex((s, k) => s === 2 && c.impulse[3 * k] !== 0);
      const [x, y] = picture.project(c.point[3 * i], c.point[3 * i + 1], 0);
      return [box.left + x, box.top + y, i];
    });
    await page.mouse.click(x, y);
    assert.equal(await app(page, () => saltusViewer.picked?.kind), 'contact');
    const text = await page.locator('.side').innerText();
    assert.match(text, /of its cone\s+[\d.]+ %/);
    const share = Number(text.match(/of its cone\s+([\d.e+-]+) %/)[1]);
    assert.ok(share <= 100.5, `inside the cone: ${share} % (${i})`);
    await shot(page, 'plane-contact');
    await close();
    child.kill();
  },

  async 'the address leads back to the view'() {
    const { child, address } = await serve(demo()), first = await open(address);
    await first.page.keyboard.press('End');
    await first.page.mouse.move(500, 300);
    await first.page.mouse.wheel(0, -600);
    await first.page.getByLabel('colour by').selectOption('displacement');
    await first.page.waitForTimeout(600);
    const [link, camera, now] = await app(first.page, () => [location.href, saltusViewer.picture.cameraState(), saltusViewer.player.now]);
    await first.close();
    const second = await open(link);
    await second.page.waitForFunction((n) => saltusViewer.player.now === n, now);
    assert.deepEqual(await app(second.page, () => saltusViewer.picture.cameraState()), camera);
    assert.equal(await app(second.page, () => saltusViewer.look.field.name), 'displacement');
    await second.close();
    child.kill();
  },

  async 'a scene of space: shapes, cameras, cut, picture and film'() {
    saltus('run', 'arch-3d', '--set', 'run.until=0.1', '--out', 'space.h5', '--quiet');
    const { child, address } = await serve('space.h5'), { page, close } = await open(address, { scheme: 'dark' });
    assert.ok((await colours(page)) > 20);
    await shot(page, 'space-desktop-dark');
    for (const key of ['1', '5', '7', 'o', 'n', 'd']) await page.keyboard.press(key);
    await page.getByText('View', { exact: true }).click();
    await page.getByLabel('cut across').selectOption('0');
    await settled(page);
    await shot(page, 'space-cut-light');
    const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG' }).click()]);
    const bytes = readFileSync(await picture.path());
    assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
    const [film] = await Promise.all([page.waitForEvent('download', { timeout: 60000 }), page.getByRole('button', { name: 'film' }).click()]);
    const film_bytes = readFileSync(await film.path());
    assert.equal(film_bytes.readUInt32BE(0), 0x1a45dfa3, 'a WebM file');
    assert.ok(film_bytes.length > 2000, `${film_bytes.length} bytes of film`);
    await close();
    child.kill();
  },

  async 'a mesh is deformed, and a node of it picked'() {
    saltus('run', 'grains-on-beam', '--set', 'run.until=0.1', '--out', 'mesh.h5', '--quiet');
    const { child, address } = await serve('mesh.h5'), { page, close } = await open(`${address}#colour=displacement&magnify=20`);
    await page.keyboard.press('End');
    await page.waitForFunction(() => saltusViewer.picture.frame.number === saltusViewer.player.last);
    assert.ok((await colours(page)) > 20);
    await shot(page, 'mesh');
    const [x, y] = await app(page, () => {
      const { picture, model } = saltusViewer, box = picture.canvas.getBoundingClientRect(), t = model.meshTriangles, u = picture.frame.displacement;
      // The middle of a triangle: inside the mesh, whatever its shape.
      const at = [0, 1, 2].map((k) => [0, 1, 2].reduce((sum, c) => sum + model.rest[3 * t[c] + k] + 20 * u[3 * t[c] + k], 0) / 3);
      const [x, y] = picture.project(...at);
      return [box.left + x, box.top + y];
    });
    await page.mouse.click(x, y);
    assert.equal(await app(page, () => saltusViewer.picked?.kind), 'node');
    await close();
    child.kill();
  },

  async 'a page from disk shows the same, at the size of a phone too'() {
    const { said, address } = exportPage(demo(), 'demo.html');
    assert.match(said, /frames/);
    const { page, close } = await open(address, { width: 390, height: 780 });
    assert.ok((await colours(page)) > 3);
    await app(page, () => saltusViewer.player.go(saltusViewer.player.last));
    await page.waitForFunction(() => saltusViewer.picture.frame.number === saltusViewer.player.last);
    await shot(page, 'phone-light');
    await page.getByRole('button', { name: 'controls' }).click();
    await page.getByLabel('colour by').selectOption('force');
    await page.waitForFunction(() => saltusViewer.picture.frame.value);
    await settled(page);
    await shot(page, 'phone-controls');
    const wide = await app(page, () => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `nothing sticks out: ${wide} px`);
    await close();
  },

  async 'a page that left frames out says so'() {
    const { said, address } = exportPage(demo(), 'thin.html', '--max-size', '1');
    assert.match(said, /frames left out to stay below 1 MB/);
    const { page, close } = await open(address);
    await page.getByText('Certificate', { exact: true }).click();
    assert.match(await page.locator('.side').innerText(), /of the \d+ frames of the run are in this page/);
    assert.equal(await app(page, () => saltusViewer.player.go(2).then(() => saltusViewer.picture.frame.number)), 2);
    await close();
  },

  async 'a run that goes on is followed'() {
    const run = spawnSaltus('run', 'demo', '--out', 'live.h5', '--quiet', '--set', 'run.until=60', '--set', 'output.every=0.002');
    const served = await serveSoon('live.h5');
    const { page, close } = await open(served.address);
    const before = await app(page, () => (saltusViewer.player.go(saltusViewer.player.last), saltusViewer.player.last));
    await page.waitForFunction((n) => saltusViewer.player.last > n && saltusViewer.player.now === saltusViewer.player.last, before, { timeout: 30000 });
    run.kill('SIGKILL');
    await close();
    served.child.kill();
  },
};

await runTests({ ...tests, ...shownTests, ...useTests }, process.argv[2]);
