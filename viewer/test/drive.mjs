// What the tests of the viewer share. SALTUS is the program, CHROMIUM the browser, KEEP a folder for pictures (default: a temporary one,
// removed), BUNDLE a page to try in place of the program's own, which then need not be compiled again.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const { SALTUS, CHROMIUM, KEEP, BUNDLE } = process.env;
export const folder = mkdtempSync(join(tmpdir(), 'saltus-viewer-'));
const kept = KEEP ?? folder;
const bundle = BUNDLE && readFileSync(BUNDLE, 'utf8');
export const saltus = (...words) => execFileSync(SALTUS, words, { cwd: folder, encoding: 'utf8' });
/** Runs a scene unless a test before has done so: the file. */
export function scene(name, file, ...options) {
  if (!existsSync(join(folder, file))) saltus('run', name, '--out', file, '--quiet', ...options);
  return file;
}
export const demo = () => scene('demo', 'demo.h5', '--set', 'run.until=0.7');
export const spawnSaltus = (...words) => spawn(SALTUS, words, { cwd: folder });

export function serve(file) {
  const child = spawnSaltus('view', file, '--no-open');
  return new Promise((done, failed) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) done({ child, address: text.split('\n')[0] });
    });
    child.on('exit', () => failed(new Error(`saltus view ended: ${text}`)));
  });
}

/** An address as soon as a run has begun to write. */
export async function serveSoon(file) {
  for (let i = 0; i < 100; i++) {
    const served = await serve(file).catch(() => null);
    if (served) return served;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`${file} cannot be served`);
}

/** Address of a page from disk. */
export function exportPage(file, page, ...options) {
  const said = saltus('export', file, '--html', page, '--force', ...options), path = join(folder, page);
  if (bundle) {
    const data = readFileSync(path, 'utf8').match(/<script type="application\/saltus".*<\/script>/g).join('\n');
    writeFileSync(path, bundle.replace('<!--saltus-data-->', () => data));
  }
  return { said, address: `file://${path}` };
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
  '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--enable-precise-memory-info'] });

/** A page that fails the test by any error of its own, and by any request to elsewhere. `route`: answers other than the server's. */
export async function open(address, { width = 1280, height = 800, scheme = 'light', touch = false, route, init, waitFor = () => window.saltusViewer?.picture?.frame } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true, hasTouch: touch, isMobile: touch });
  const page = await context.newPage(), troubles = [];
  page.on('console', (m) => m.type() === 'error' && troubles.push(m.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  const own = new URL(address), root = address.split('#')[0];
  if (bundle && own.protocol === 'http:') await page.route(root, (r) => r.fulfill({ contentType: 'text/html', body: bundle }));
  if (route) await page.route(...route);
  if (init) await page.addInitScript(init);
  page.on('request', (r) => !['blob:', 'data:'].includes(new URL(r.url()).protocol) && new URL(r.url()).host !== own.host && troubles.push(`asks ${r.url()}`));
  await page.goto(address);
  await page.waitForFunction(waitFor, null, { timeout: 30000 });
  return { page, context, close: async () => {
    assert.deepEqual(troubles, []);
    await context.close();
  } };
}

export const app = (page, use, ...rest) => page.evaluate(use, ...rest);
export const shot = (page, name) => page.screenshot({ path: join(kept, `${name}.png`) });
export const settled = (page) => app(page, () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** The picture as it is with scales and trails read, as pixels in the page: window.pixels, RGBA. */
async function takePixels(page) {
  await app(page, async () => {
    await saltusViewer.goWhole(saltusViewer.player.now);
    const { picture } = saltusViewer;
    picture.redraw();
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [picture.canvas.width, picture.canvas.height];
    const context = copy.getContext('2d');
    context.drawImage(picture.canvas, 0, 0);
    window.pixels = context.getImageData(0, 0, copy.width, copy.height).data;
  });
}
/** How many colours the canvas shows: an empty picture has one. */
export async function colours(page) {
  await takePixels(page);
  return app(page, () => {
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return seen.size;
  });
}
/** A number that two pictures share only when they are the same. */
export async function pictureHash(page) {
  await takePixels(page);
  return app(page, () => pixels.reduce((hash, x) => (Math.imul(hash, 31) + x) | 0, 7));
}
/** How many pixels are another colour than the background, and those near a colour, '#rrggbb', in which much of it may be mixed. */
export async function countPixels(page, colour) {
  await takePixels(page);
  return app(page, (text) => {
    const wanted = text && [1, 3, 5].map((k) => parseInt(text.slice(k, k + 2), 16));
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4)
      if (wanted ? wanted.every((x, k) => Math.abs(pixels[i + k] - x) < 40) : [0, 1, 2].some((k) => pixels[i + k] !== pixels[k])) count++;
    return count;
  }, colour);
}

/** A place of the page where a point of the world is seen. */
export const pageAt = (page, point) => app(page, (p) => {
  const { picture } = saltusViewer, box = picture.canvas.getBoundingClientRect(), [x, y] = picture.project(...p);
  return [box.left + x, box.top + y];
}, point);
/** The same of the centre of a body. */
export const seenAt = async (page, row) => pageAt(page, await app(page, (r) => [...saltusViewer.picture.frame.place.subarray(4 * r, 4 * r + 3)], row));
export const goLast = (page) => app(page, () => saltusViewer.goWhole(saltusViewer.player.last));

export async function runTests(tests, only) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begin = Date.now();
    try {
      await test();
      console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}: ${error.stack}`);
    }
  }
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed ? 1 : 0);
}
