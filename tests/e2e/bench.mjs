// Load and index against TextDecoder + JSON.parse of the same bytes, both in one page: the ratio of the medians.
//   BASE_URL=… CHARTPROOF_DATA=… node tests/e2e/bench.mjs
// Synthea bundles, repeated with new ids until there are 60 MB. Prints one line of JSON at the end.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { chromium } from 'playwright-core';
import { front } from './front.mjs';

const SIZE = 60_000_000;
const RUNS = 5;
const UUID = /\b([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b/g;

const { BASE_URL, CHARTPROOF_DATA, CHARTPROOF_CHROMIUM = '/usr/bin/chromium' } = process.env;
if (!BASE_URL || !CHARTPROOF_DATA) {
  console.error('bench: BASE_URL and CHARTPROOF_DATA have to be set');
  process.exit(2);
}

/** Bundles as texts; each copy gets ids of its own, so nothing is a duplicate of anything. */
async function bundles() {
  const folder = join(CHARTPROOF_DATA, 'synthea-r4-bundles');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json.gz')).sort();
  const texts = await Promise.all(
    names.map(async (name) => (await promisify(gunzip)(await readFile(join(folder, name)))).toString('utf8')),
  );
  const made = [];
  for (let size = 0, copy = 0; size < SIZE; copy += 1) {
    for (const text of texts) {
      const turned = (head) => ((parseInt(head, 16) ^ (copy * 0x9e37_79b1)) >>> 0).toString(16).padStart(8, '0');
      const own = copy === 0 ? text : text.replace(UUID, (_, head, tail) => turned(head) + tail);
      made.push(Buffer.from(own, 'utf8'));
      size += made.at(-1).length;
      if (size >= SIZE) break;
    }
  }
  return made;
}

const folder = await mkdtemp(join(tmpdir(), 'chartproof-bench-'));
const BENCH_PAGE = '<!doctype html><html lang="en"><title>bench</title><input type="file" multiple>';
const server = await front(BASE_URL, { pages: { '/bench.html': { html: BENCH_PAGE } } });
const browser = await chromium.launch({
  executablePath: CHARTPROOF_CHROMIUM,
  args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});
try {
  const paths = [];
  let size = 0;
  for (const [n, bytes] of (await bundles()).entries()) {
    paths.push(join(folder, `bundle-${String(n).padStart(3, '0')}.json`));
    await writeFile(paths[n], bytes);
    size += bytes.length;
  }
  console.log(`${paths.length} bundles, ${(size / 1e6).toFixed(1)} MB`);

  const page = await browser.newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(`${server.url}bench.html`);
  await page.locator('input').setInputFiles(paths);
  const times = await page.evaluate(async (runs) => {
    const files = [...document.querySelector('input').files];
    const read = () => Promise.all(files.map(async (file) => ({ name: file.name, bytes: await file.arrayBuffer() })));
    const module = await WebAssembly.compile(await (await fetch('chartproof-wasm_bg.wasm')).arrayBuffer());
    const answered = (worker, wanted) =>
      new Promise((done, refuse) => {
        worker.onerror = () => refuse(new Error('the worker ended'));
        worker.onmessage = ({ data }) => {
          if (data.broken !== undefined) refuse(new Error(data.broken));
          const said = wanted(data);
          if (said) done(said);
        };
      });
    const parse = async () => {
      const load = await read();
      const start = performance.now();
      let objects = 0;
      const kept = [];
      for (const { bytes } of load) {
        kept.push(JSON.parse(new TextDecoder().decode(bytes)));
        objects += kept.at(-1).entry.length;
      }
      return { took: performance.now() - start, objects };
    };
    const ours = async () => {
      const worker = new Worker('core-worker.js', { type: 'module' });
      const ready = answered(worker, ({ ready }) => ready);
      worker.postMessage({ module });
      await ready;
      const load = await read();
      const transfer = load.map(({ bytes }) => bytes);
      const loaded = answered(worker, ({ event }) => event?.startsWith('{"event":"progress"') ? undefined : event);
      const start = performance.now();
      worker.postMessage({ id: 1, load }, transfer);
      const event = await loaded;
      const took = performance.now() - start;
      worker.terminate();
      const { summary, message } = JSON.parse(event);
      if (!summary) throw new Error(message);
      const events = summary.patients.reduce((sum, patient) => sum + Object.values(patient.events).reduce((a, b) => a + b, 0), 0);
      return { took, events, patients: summary.patients.length };
    };
    const all = { parse: [], ours: [] };
    for (let run = 0; run < runs; run += 1) {
      all.parse.push(await parse());
      all.ours.push(await ours());
    }
    return all;
  }, RUNS);
  await page.close();

  // The same files through the page itself: how long its main thread is ever held up.
  const app = await browser.newPage();
  app.setDefaultTimeout(600_000);
  await app.addInitScript(() => {
    globalThis.longTasks = [];
    new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration })))).observe({ type: 'longtask' });
    document.addEventListener('chartproof-loaded', () => { globalThis.loadedAt = performance.now(); });
    document.addEventListener('chartproof-ready', () => { globalThis.isReady = true; });
  });
  await app.goto(server.url);
  await app.waitForFunction(() => globalThis.isReady);
  await app.evaluate(() => { globalThis.longTasks.length = 0; });
  const start = Date.now();
  await app.locator('input[type=file]').first().setInputFiles(paths);
  await app.getByRole('heading', { name: 'Ask', exact: true }).waitFor();
  const pageTook = Date.now() - start;
  await app.waitForTimeout(1_000);
  const { loadedAt, longTasks } = await app.evaluate(() => ({ loadedAt: globalThis.loadedAt, longTasks: globalThis.longTasks }));
  const longestOf = (list) => Math.max(0, ...list.map(({ duration }) => duration));
  const longest = longestOf(longTasks.filter(({ startTime }) => startTime < loadedAt));
  const drawing = longestOf(longTasks.filter(({ startTime }) => startTime >= loadedAt));

  const median = (list) => list.map(({ took }) => took).sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const parse = median(times.parse);
  const ours = median(times.ours);
  console.log(`TextDecoder + JSON.parse  ${parse.toFixed(0)} ms   ${times.parse.map(({ took }) => took.toFixed(0)).join(' ')}`);
  console.log(`load + index, in a worker ${ours.toFixed(0)} ms   ${times.ours.map(({ took }) => took.toFixed(0)).join(' ')}`);
  console.log(`ratio ${(ours / parse).toFixed(2)}   ${times.ours[0].patients} patients, ${times.ours[0].events} events`);
  console.log(`in the page ${pageTook} ms; longest task of its main thread ${longest.toFixed(0)} ms while loading (0: none over 50), ${drawing.toFixed(0)} ms drawing the record`);
  console.log(JSON.stringify({ bytes: size, parse_ms: parse, load_ms: ours, ratio: ours / parse, page_ms: pageTook, longest_task_ms: longest, drawing_task_ms: drawing }));
} finally {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}
