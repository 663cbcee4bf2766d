// The element in a page that is not ours.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, RECORD, served } from './app.mjs';

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; worker-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types chartproof";

async function host(t, body) {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Portal</title>
    <script type="module" src="boot.js"></script></head><body><main>${body}</main></body></html>`;
  const server = await served(t, { pages: { '/portal.html': { html, headers: { 'content-security-policy': POLICY } } } });
  return `${server.url}portal.html`;
}

test('a host page is left as it is: its network stays open, its globals are its own', async (t) => {
  const app = await App.open(t, { url: await host(t, '<chart-proof></chart-proof>') });
  const state = await app.page.evaluate(async () => ({
    status: (await fetch('boot.js')).status,
    metas: document.querySelectorAll('meta[http-equiv]').length,
    globals: Object.keys(globalThis).filter((key) => /chartproof|servecore|wasm_bindgen/i.test(key)),
  }));
  assert.deepEqual(state, { status: 200, metas: 0, globals: [] });
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  await app.assertNoViolations();
});

test('a move within the document keeps the record; a removal drops it', async (t) => {
  const app = await App.open(t, { url: await host(t, '<section id="a"><chart-proof></chart-proof></section><section id="b"></section>') });
  await app.load();
  await app.page.evaluate(() => document.querySelector('#b').append(document.querySelector('chart-proof')));
  await app.page.waitForTimeout(200);
  assert.equal(await app.ask(), 'Supported');
  const workers = app.page.workers().length;
  await app.page.evaluate(() => {
    globalThis.kept = document.querySelector('chart-proof');
    globalThis.kept.remove();
  });
  await app.page.waitForFunction(() => globalThis.kept.shadowRoot.querySelector('[part=root]').childElementCount === 0);
  for (let n = 0; n < 50 && app.page.workers().length; n += 1) await app.page.waitForTimeout(100);
  assert.ok(workers > 0 && app.page.workers().length === 0, 'its workers end');
  await app.page.evaluate(() => document.querySelector('#a').append(globalThis.kept));
  await app.heading('Open a record').waitFor();
});

test('a record set before the element is defined is opened, and null closes it', async (t) => {
  const html = '<div id="place"></div>';
  const app = await App.open(t, { url: await host(t, html), ready: false });
  await app.page.evaluate((text) => {
    // Not yet connected: the property lies on the element itself, or goes through its setter; both have to do.
    const element = document.createElement('chart-proof');
    Object.defineProperty(element, 'record', { value: [{ name: 'set.json', bytes: text }], configurable: true, writable: true, enumerable: true });
    document.querySelector('#place').append(element);
  }, RECORD.buffer.toString());
  await app.heading('Ask').waitFor();
  assert.equal(await app.ask(), 'Supported');
  await app.page.evaluate(() => { document.querySelector('chart-proof').record = null; });
  await app.heading('Open a record').waitFor();
  assert.equal(await app.heading('Ask').count(), 0);
});

test('two elements do not know of each other, and a second script does no harm', async (t) => {
  const app = await App.open(t, { url: await host(t, '<chart-proof></chart-proof><chart-proof></chart-proof>') });
  await app.page.waitForFunction(() => globalThis.told.filter(({ name }) => name === 'chartproof-ready').length === 2);
  await app.page.evaluate(() => import('./boot.js?again'));
  await app.load();
  const second = app.page.locator('chart-proof').nth(1);
  await second.getByRole('heading', { name: 'Open a record' }).waitFor();
  assert.equal(await second.getByRole('heading', { name: 'Ask', exact: true }).count(), 0);
  await app.assertNoViolations();
});

test('events cross the shadow boundary and carry no record content', async (t) => {
  const app = await App.open(t, { url: await host(t, '<chart-proof></chart-proof>') });
  await app.load();
  await app.ask();
  const text = JSON.stringify(await app.page.evaluate(() => globalThis.told));
  assert.match(text, /chartproof-verdict/);
  for (const content of ['kidney', 'vancomycin', 'Patient/', 'record.json', '2031']) assert.ok(!text.includes(content), content);
});
