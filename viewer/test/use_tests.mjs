// How it is used: keys, runs that go on, trails, films, phones, large files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { app, demo, exportPage, goLast, open, saltus, serve, serveSoon, settled, shot, spawnSaltus } from './drive.mjs';

const exited = (child) => new Promise((done) => child.on('exit', done));

export const useTests = {
  async 'keys work once also after bodies were added to a run'() {
    // The run is at 0.5 s, before its second body, and told to go on; it does so when the page has shown it.
    saltus('run', 'belt', '--out', 'belt.h5', '--quiet', '--until', '0.5');
    let goesOn = true;
    const { child, address } = await serve('belt.h5'), { page, close } = await open(address, { route: [/\/(series|state)$/, async (route) => {
      const answer = await route.fetch(), body = Buffer.from(await answer.body());
      const at = goesOn ? body.indexOf('"finished":true') : -1;
      if (at >= 0) body.write('"finished":null', at);
      await route.fulfill({ response: answer, body });
    }] });
    const rows = await app(page, () => saltusViewer.model.rows);
    await page.keyboard.press('End');
    saltus('run', 'belt', '--out', 'belt.h5', '--quiet', '--resume', '--until', '1');
    goesOn = false;
    await page.waitForFunction((n) => saltusViewer.model.rows > n && saltusViewer.picture.frame, rows, { timeout: 60000 });
    assert.equal(await page.locator('.picture > canvas').count(), 1);
    await page.keyboard.press('Home');
    await page.keyboard.press('c');
    assert.equal(await app(page, () => saltusViewer.look.chains), true);
    await page.keyboard.press('ArrowRight');
    assert.equal(await app(page, () => saltusViewer.player.now), 1);
    await page.keyboard.press(' ');
    assert.equal(await app(page, () => saltusViewer.player.playing), true);
    await close();
    child.kill();
  },

  async 'a run that ends while the page opens is shown to its end'() {
    const run = spawnSaltus('run', 'demo', '--out', 'race.h5', '--quiet', '--set', 'run.until=0.7'), ended = exited(run), served = await serveSoon('race.h5');
    const { page, close } = await open(served.address, { waitFor: () => window.saltusViewer?.plots, route: ['**/state*', async (route) => {
      await ended;
      await route.continue();
    }] });
    await ended; // else it may have fewer frames than the page will have seen
    const frames = (await (await fetch(`${served.address}state`).catch(() => fetch(served.address))).json()).frames;
    await page.waitForFunction((n) => saltusViewer.player.last === n - 1 && saltusViewer.picture.frame, frames, { timeout: 30000 });
    assert.equal(await page.locator('.message').innerText(), '');
    await close();
    served.child.kill();
  },

  async 'a page on a file without a frame shows the first when it comes'() {
    const { child, address } = await serve(demo());
    let asked = 0;
    // The first series is told to be that of a run that has just begun.
    const { page, close } = await open(address, { waitFor: () => document.querySelector('.message')?.textContent === 'No frame yet.', route: ['**/series', async (route) => {
      if (asked++) return route.continue();
      const text = JSON.stringify({ about: { frames: 0, frames_of_run: 0, finished: false, failure: '', measures: [], summary: {} }, arrays: [] });
      const head = Buffer.alloc(8);
      head.write('SVP1');
      head.writeUInt32LE(text.length, 4);
      await route.fulfill({ contentType: 'application/octet-stream', body: Buffer.concat([head, Buffer.from(text), Buffer.alloc(8)]) });
    }] });
    await page.waitForFunction(() => saltusViewer.picture.frame && document.querySelector('.message').textContent === '', null, { timeout: 10000 });
    await close();
    child.kill();
  },

  async 'space and letters work while a slider has the focus, loop and speed too'() {
    const { child, address } = await serve(demo()), { page, close } = await open(address);
    await page.getByLabel('frame', { exact: true }).focus();
    await page.keyboard.press(' ');
    assert.equal(await app(page, () => saltusViewer.player.playing), true);
    await page.keyboard.press(' ');
    await page.keyboard.press('c');
    assert.equal(await app(page, () => saltusViewer.look.chains), true);
    await page.getByLabel('threshold').focus();
    const now = await app(page, () => saltusViewer.player.now);
    await page.keyboard.press('ArrowRight');
    assert.equal(await app(page, () => saltusViewer.player.now), now, 'arrows belong to the slider');
    assert.equal(await app(page, () => saltusViewer.look.threshold), 0.03);
    // Without the loop it stops at the end, with it it begins anew.
    await app(page, () => saltusViewer.player.go(saltusViewer.player.last - 1));
    await page.keyboard.press('l');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => !saltusViewer.player.playing && saltusViewer.player.now === saltusViewer.player.last);
    await page.keyboard.press('l');
    await app(page, () => saltusViewer.player.go(saltusViewer.player.last - 1));
    await page.keyboard.press(' ');
    await page.waitForFunction(() => saltusViewer.player.playing && saltusViewer.player.now < saltusViewer.player.last / 2);
    await page.keyboard.press(' ');
    // Half as fast as real time: time does not run while a frame is on its way, so never faster.
    await app(page, () => saltusViewer.player.go(0));
    for (let i = 0; i < 2; i++) await page.keyboard.press('[');
    assert.equal(await page.getByLabel('speed').inputValue(), '0.25');
    await page.keyboard.press(' ');
    const [clock, time] = await app(page, async () => {
      const begin = performance.now();
      await new Promise((done) => setTimeout(done, 1200));
      saltusViewer.player.toggle(false);
      return [(performance.now() - begin) / 1000, saltusViewer.player.times[saltusViewer.player.now]];
    });
    assert.ok(time > 0 && time <= 0.25 * clock + 0.02, `${time} s of the run in ${clock} s`);
    await close();
    child.kill();
  },

  async 'trails are whole after a jump, and say when they are thinned'() {
    const { child, address } = await serve(demo()), { page, close } = await open(`${address}#trails=short`);
    const lines = () => app(page, () => saltusViewer.picture.trailLines.object.geometry.getAttribute('position').count / 2);
    await goLast(page);
    const moving = await app(page, () => [...saltusViewer.picture.frame.rows].filter((r) => saltusViewer.picture.frame.place[4 * r + 3] === 1).length);
    const whole = await app(page, () => saltusViewer.player.last);
    assert.equal(await lines(), moving * Math.min(40, whole));
    await page.getByLabel('trails').selectOption('all');
    await goLast(page);
    assert.equal(await lines(), moving * whole);
    await close();
    child.kill();
    saltus('run', 'bouncing-ball', '--set', 'run.until=0.5', '--set', 'output.every=0.001', '--out', 'many.h5', '--quiet');
    const many = await serve('many.h5'), second = await open(`${many.address}#trails=all&pick=body,1`);
    await goLast(second.page);
    assert.match(await second.page.locator('.legend').innerText(), /trails through frame 0, 3, 6/);
    await second.page.getByRole('button', { name: 'plot over time' }).click();
    await second.page.waitForFunction(() => saltusViewer.plots.chosen.startsWith('picked'));
    assert.match(await second.page.locator('.plots .lines').innerText(), /frame 0, 3, 6/);
    await second.close();
    many.child.kill();
  },

  async 'every frame is a picture of the film, at its time'() {
    const { child, address } = await serve(demo()), { page, close } = await open(address, { width: 700, height: 500 });
    const frames = await app(page, () => saltusViewer.player.last + 1);
    const [film] = await Promise.all([page.waitForEvent('download', { timeout: 120000 }), page.getByRole('button', { name: 'film' }).click()]);
    const path = await film.path(), bytes = readFileSync(path);
    let blocks = 0; // SimpleBlock of track 1, its size in 8 bytes
    for (let i = bytes.indexOf(Buffer.from([0xa3, 0x01])); i >= 0; i = bytes.indexOf(Buffer.from([0xa3, 0x01]), i + 1)) if (bytes[i + 9] === 0x81) blocks++;
    assert.equal(blocks, frames);
    const said = (() => {
      try {
        return JSON.parse(execFileSync('ffprobe', ['-v', 'error', '-count_frames', '-show_entries', 'stream=nb_read_frames,r_frame_rate:format=duration', '-of', 'json', path], { encoding: 'utf8' }));
      } catch (error) {
        if (error.code === 'ENOENT') return null; // no ffprobe here
        throw error;
      }
    })();
    if (said) {
      assert.equal(Number(said.streams[0].nb_read_frames), frames);
      assert.equal(said.streams[0].r_frame_rate, '25/1');
      assert.ok(Math.abs(Number(said.format.duration) - frames / 25) < 1e-3, `${said.format.duration} s`);
    }
    await close();
    child.kill();
  },

  async 'a browser that can only record by the clock says so'() {
    const { child, address } = await serve(demo()), { page, close } = await open(address, { width: 500, height: 400, init: () => delete window.VideoEncoder });
    await app(page, () => saltusViewer.player.setTimes(saltusViewer.player.times.slice(0, 5)));
    await Promise.all([page.waitForEvent('download', { timeout: 60000 }), page.getByRole('button', { name: 'film' }).click()]);
    await page.getByText('as fast as this machine drew it').waitFor();
    await close();
    child.kill();
  },

  async 'plots tell the values of now, and nothing sticks out of the page'() {
    const { child, address } = await serve(demo()), { page, close } = await open(address);
    await goLast(page);
    const text = await page.locator('.plots .lines').innerText();
    assert.match(text, /kinetic\s+[\d.e+-]+ J/);
    assert.ok(!text.includes('--'));
    const [chart, side] = [await page.locator('.plots').boundingBox(), await page.locator('.side').boundingBox()];
    assert.ok(chart.x + chart.width <= side.x + 1);
    await close();
    child.kill();
  },

  async 'plots of measures tell their units'() {
    saltus('run', 'flexible-pendulum', '--set', 'run.until=0.01', '--out', 'measured.h5', '--quiet');
    const { child, address } = await serve('measured.h5'), { page, close } = await open(address);
    const units = await app(page, () => saltusViewer.plots.charts.filter((c) => c.name.includes('.')).map((c) => [c.name, c.unit]));
    assert.ok(units.some(([name, unit]) => name.endsWith('.y') && unit === 'm'), JSON.stringify(units));
    assert.ok(units.some(([name, unit]) => name.endsWith('velocity_y') && unit === 'm/s'), JSON.stringify(units));
    await close();
    child.kill();
  },

  async 'on a phone every button can be reached'() {
    const { address } = exportPage(demo(), 'phone.html'), { page, close } = await open(address, { width: 390, height: 780, touch: true });
    await page.getByRole('button', { name: 'plots' }).click();
    await settled(page);
    await shot(page, 'phone-plots');
    const names = ['link', '?', 'PNG', 'film', '|\u25c0', '\u25b6|', '\u21bb'];
    for (const name of names) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 780 && box.width >= 30 && box.height >= 30, `${name}: ${JSON.stringify(box)}`);
    }
    assert.equal(await app(page, () => document.documentElement.scrollWidth - innerWidth), 0);
    const lines = await page.locator('.plots .lines').boundingBox();
    assert.ok(lines.x + lines.width <= 390);
    await page.getByRole('button', { name: '\u25b6|', exact: true }).tap();
    assert.equal(await app(page, () => saltusViewer.player.now === saltusViewer.player.last), true);
    await close();
  },

  async 'a large file: pictures, another frame and memory stay within bounds'() {
    saltus('run', 'spheres-10000', '--until', '0.01', '--set', 'output.every=0.0025', '--out', 'large.h5', '--quiet');
    const { child, address } = await serve('large.h5'), { page, close } = await open(address);
    assert.ok((await app(page, () => saltusViewer.model.rows)) > 10000);
    const begin = Date.now();
    await app(page, () => saltusViewer.player.go(saltusViewer.player.last));
    const [picture, other, bytes] = [await app(page, () => saltusViewer.picture.measure(3)), Date.now() - begin, await app(page, () => performance.memory?.usedJSHeapSize ?? 0)];
    // 0.25 to 0.9 s without a graphics card on two cores with ten times the work they can do: three times the worst of that.
    assert.ok(picture < 3000, `${picture} ms a picture`);
    assert.ok(other < 20000, `${other} ms to another frame`);
    // The frames that are held are at most 0.4 GB whatever the file; these few take 20 MB.
    assert.ok(bytes < 250e6, `${bytes / 1e6} MB`);
    await close();
    child.kill();
  },
};
