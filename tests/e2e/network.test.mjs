// Nothing of a record can leave: counted at servers, not believed of events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, served } from './app.mjs';
import { sink } from './front.mjs';

async function sinkFor(t) {
  const server = await sink();
  t.after(() => server.close());
  return server;
}

test('after the start the page sends nothing at all', async (t) => {
  const server = await served(t);
  const app = await App.open(t, { url: server.url });
  assert.ok(server.requests.length > 5, 'the server counts');
  const before = server.requests.length;
  const sample = app.page.locator('.samples').getByRole('button').first();
  if (await sample.count()) await sample.click();
  else await app.load();
  await app.heading('Ask').waitFor();
  await app.button('Close record').click();
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  await app.look(app.citations.first());
  await app.page.waitForTimeout(500);
  assert.deepEqual(server.requests.slice(before), []);
  await app.assertNoViolations();
});

test('the page works with the network off', async (t) => {
  const app = await App.open(t);
  await app.page.context().setOffline(true);
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  const { marked } = await app.look(app.citations.first());
  assert.ok(marked.length > 0);
});

test('the worker can send nothing, not even to its own server', async (t) => {
  const own = await served(t);
  const foreign = await sinkFor(t);
  const app = await App.open(t, { url: own.url });
  await app.load();
  const before = own.requests.length;
  for (const worker of app.page.workers()) {
    const outcomes = await worker.evaluate(async ([ownUrl, foreignUrl]) => {
      const tried = {};
      const attempt = async (name, send) => {
        try {
          tried[name] = String(await send());
        } catch {
          tried[name] = 'refused';
        }
      };
      for (const [whose, url] of [['own', ownUrl], ['foreign', foreignUrl]]) {
        await attempt(`fetch ${whose}`, async () => (await fetch(`${url}leak?fetch`)).status);
        await attempt(`no-cors ${whose}`, async () => (await fetch(`${url}leak?opaque`, { mode: 'no-cors' })).type);
        await attempt(`xhr ${whose}`, () => new Promise((done, refuse) => {
          const xhr = new XMLHttpRequest();
          xhr.onload = () => done(xhr.status);
          xhr.onerror = () => refuse();
          xhr.open('GET', `${url}leak?xhr`);
          xhr.send();
        }));
        await attempt(`socket ${whose}`, () => new Promise((done, refuse) => {
          const socket = new WebSocket(`${url.replace('http', 'ws')}leak?socket`);
          socket.onopen = () => done('open');
          socket.onerror = () => refuse();
        }));
        await attempt(`events ${whose}`, () => new Promise((done, refuse) => {
          const events = new EventSource(`${url}leak?events`);
          events.onopen = () => done('open');
          events.onerror = () => { events.close(); refuse(); };
        }));
      }
      await attempt('eval', () => (0, eval)('1 + 1'));
      return tried;
    }, [own.url, foreign.url]);
    for (const [name, outcome] of Object.entries(outcomes)) assert.equal(outcome, 'refused', name);
  }
  assert.deepEqual(own.requests.slice(before), []);
  assert.deepEqual(foreign.requests, []);
});

test('scripts of the page itself can fetch nothing once it is ready', async (t) => {
  const own = await served(t);
  const foreign = await sinkFor(t);
  const app = await App.open(t, { url: own.url });
  const before = own.requests.length;
  const outcomes = await app.page.evaluate(async ([ownUrl, foreignUrl]) => {
    const tried = {};
    for (const url of [ownUrl, foreignUrl]) {
      tried[`fetch ${url}`] = await fetch(`${url}leak?fetch`, { mode: 'no-cors' }).then(() => 'sent', () => 'refused');
      navigator.sendBeacon(`${url}leak?beacon`, 'x');
      tried[`socket ${url}`] = await new Promise((done) => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}leak?socket`);
        socket.onopen = () => done('sent');
        socket.onerror = () => done('refused');
      });
    }
    const image = new Image();
    const tried2 = new Promise((done) => {
      image.onload = () => done('sent');
      image.onerror = () => done('refused');
    });
    image.src = `${foreignUrl}leak?image`;
    tried.image = await tried2;
    return tried;
  }, [own.url, foreign.url]);
  for (const [name, outcome] of Object.entries(outcomes)) assert.equal(outcome, 'refused', name);
  await app.page.waitForTimeout(500);
  assert.deepEqual(own.requests.slice(before), []);
  assert.deepEqual(foreign.requests, []);
});

test('nothing is stored and nothing of the record is in the address', async (t) => {
  const app = await App.open(t);
  await app.load();
  await app.ask();
  const kept = await app.page.evaluate(async () => ({
    local: localStorage.length,
    session: sessionStorage.length,
    cookies: document.cookie,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    address: location.search + location.hash,
  }));
  assert.deepEqual(kept, { local: 0, session: 0, cookies: '', databases: 0, caches: 0, address: '' });
});
