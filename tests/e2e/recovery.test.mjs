// What does not go as planned: cancelling, faults, browsers and sites that allow less.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, served } from './app.mjs';
import { ndjson } from './records.mjs';

const BIG = { name: 'big.ndjson', mimeType: 'application/x-ndjson', buffer: ndjson(30_000_000) };

test('a big load is cancelled, at once and for good', async (t) => {
  const app = await App.open(t);
  await app.pick(BIG);
  await app.page.getByRole('progressbar').waitFor();
  const start = Date.now();
  await app.button('Cancel').click();
  await app.page.getByText('Nothing was kept of the record').first().waitFor();
  assert.ok(Date.now() - start < 2_000, 'within two seconds');
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  assert.deepEqual(await app.told('chartproof-error'), [], 'the core lives on');
  await app.assertNoViolations();
});

for (const offline of [false, true]) {
  test(`after a fault the page says so and goes on${offline ? ', also without a network' : ''}`, async (t) => {
    const app = await App.open(t);
    await app.load();
    if (offline) await app.page.context().setOffline(true);
    await app.trap();
    const alert = app.page.getByRole('alert').filter({ hasText: 'The reader stopped and was started again' });
    await alert.waitFor();
    assert.match(await alert.innerText(), /stopped at \S+\.rs:\d+/);
    assert.doesNotMatch(await alert.innerText(), /record text/);
    await app.button('Open the same files again').click();
    await app.heading('Ask').waitFor();
    assert.equal(await app.ask(), 'Supported');
    const [error] = await app.told('chartproof-error');
    assert.equal(error.code, 'trap');
  });
}

test('a fault in the middle of a load ends it', async (t) => {
  const app = await App.open(t);
  await app.pick(BIG);
  await app.page.getByRole('progressbar').waitFor();
  // A message would wait behind the load: the fault is that of a worker that ends.
  await app.page.workers()[0].evaluate(() => void setTimeout(() => { throw new Error('x'); }));
  await app.page.getByRole('alert').filter({ hasText: 'The reader stopped and was started again' }).waitFor();
  await app.load();
  assert.equal(await app.ask(), 'Supported');
});

const withoutWorkers = (path, headers) =>
  path === '/' ? { ...headers, 'content-security-policy': headers['content-security-policy'].replace("worker-src 'self'", "worker-src 'none'") } : headers;

test('where no worker may start, the page’s own thread does the same', async (t) => {
  const server = await served(t, { change: withoutWorkers });
  const app = await App.open(t, { url: server.url });
  const [{ engine }] = await app.told('chartproof-ready');
  assert.equal(engine, 'page');
  assert.equal(app.page.workers().length, 0);
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  const { quote, marked } = await app.look(app.citations.first());
  assert.ok(marked.startsWith(quote.replace(/…$/, '')));
});

test('a load on the page’s own thread leaves the page alive, can be cancelled, and a fault in it is survived', async (t) => {
  const html = `<!doctype html><html lang="en"><title>x</title><script type="module" src="boot.js"></script>
    <main><chart-proof engine="page"></chart-proof></main>`;
  const server = await served(t, { pages: { '/own-thread.html': { html } } });
  const app = await App.open(t, { url: `${server.url}own-thread.html` });
  await app.pick(BIG);
  await app.button('Cancel').click();
  await app.page.getByText('Nothing was kept of the record').first().waitFor();
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  await app.page.evaluate(async () => {
    const { Core } = await import('./chartproof-wasm.js?core=1');
    Core.prototype.submit = () => { throw new WebAssembly.RuntimeError('unreachable'); };
  });
  await app.page.getByLabel('Question or statement to check').fill('Is there evidence of acute kidney injury?');
  await app.button('Check').click();
  await app.page.getByRole('alert').filter({ hasText: 'started again' }).waitFor();
  await app.load();
  assert.equal(await app.ask(), 'Supported');
});

const failures = [
  ['wasm is not allowed', /blocks WebAssembly/, (path, headers) =>
    path === '/' ? { ...headers, 'content-security-policy': headers['content-security-policy'].replace(" 'wasm-unsafe-eval'", '') } : headers],
  ['a part is missing', /could not be fetched.*chartproof_bg\.wasm/, null, (url) => url.endsWith('chartproof_bg.wasm')],
];
for (const [what, words, change, missing] of failures) {
  test(`when ${what}, that is said in plain words`, async (t) => {
    const server = await served(t, change ? { change } : {});
    const context = {};
    const app = await App.open(t, { url: 'about:blank', ready: false, ...context });
    if (missing) await app.page.route((url) => missing(url.href), (route) => route.abort());
    await app.page.goto(server.url);
    const alert = app.page.getByRole('alert');
    await alert.waitFor();
    assert.match(await alert.innerText(), words);
    assert.equal(await app.page.getByRole('progressbar').count(), 0);
    if (missing) {
      await app.page.unroute(() => true);
      await app.page.unrouteAll();
      await app.button('Try again').click();
      await app.ready();
    }
  });
}
