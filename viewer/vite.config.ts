// One HTML file with everything in it, ASCII only, marked with the hash of its sources (scripts/check_viewer compares).
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sourceFiles(path) : [path];
  });
}

// The same lines that `sha256sum` prints of the same files: the check needs no Node.
function hashOfSources(): string {
  const own = ['index.html', 'licenses.txt', 'package-lock.json', 'package.json', 'tsconfig.json', 'vite.config.ts'];
  const files = [...own, ...sourceFiles('src')].sort((a, b) => (a < b ? -1 : 1));
  const lines = files.map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

const ascii = (text: string) =>
  text.replace(/[^\x00-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_, bundle) {
      const page = bundle['index.html'];
      if (!page || page.type !== 'asset') throw new Error('no page');
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (name === 'index.html') continue;
        const code = part.type === 'chunk' ? part.code : String(part.source);
        const tag = name.endsWith('.css')
          ? new RegExp(`<link[^>]*href="[^"]*${name.split('/').pop()}"[^>]*>`)
          : new RegExp(`<script[^>]*src="[^"]*${name.split('/').pop()}"[^>]*></script>`);
        const isScript = name.endsWith('.js');
        if (isScript) html = html.replace(tag, '').replace('<!--saltus-script-->', () =>
          `<script type="module">${ascii(code).replace(/<\/script/g, '<\\/script').replace(/<!--/g, '\\x3c!--')}</script>`);
        else html = html.replace(tag, () => `<style>${ascii(code)}</style>`);
        delete bundle[name];
      }
      html = html.replace('SOURCES_HASH', hashOfSources())
        .replace('<!--licenses-->', () => `<!--\n${readFileSync('licenses.txt', 'utf8')}-->`);
      if (/[^\x00-\x7f]/.test(html)) throw new Error('the page is not ASCII');
      page.source = html;
      page.fileName = 'viewer.html';
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [singleFile()],
  worker: { format: 'iife' },
  build: { outDir: 'bundle', emptyOutDir: true, target: 'es2022', assetsInlineLimit: 1e8, cssCodeSplit: false,
           modulePreload: false, chunkSizeWarningLimit: 2000 },
});
