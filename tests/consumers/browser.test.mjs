// The package as a page uses it, served as files, under a strict policy.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { QUESTION, kidneyInjury } from '../e2e/records.mjs';

const { chromium } = createRequire(new URL('../e2e/', import.meta.url))('playwright-core');
const PKG = new URL('../../pkg/', import.meta.url);
const TYPES = { js: 'text/javascript', wasm: 'application/wasm' };
const page = (workers) =>
  `default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src ${workers}; ` +
  "require-trusted-types-for 'script'; trusted-types chartproof";
const WORKER = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'; require-trusted-types-for 'script'";

let browser;
let server;
let url;

before(async () => {
  server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    if (pathname === '/') {
      const policy = page(searchParams.get('workers') ?? "'self'");
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
      return response.end('<!doctype html><title>consumer</title>');
    }
    const body = await readFile(new URL(`.${pathname}`, PKG)).catch(() => null);
    const type = TYPES[pathname.split('.').at(-1)] ?? 'text/plain';
    response.writeHead(body ? 200 : 404, { 'content-type': type, 'content-security-policy': WORKER });
    return response.end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await chromium.launch({
    executablePath: process.env.CHARTPROOF_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

async function consumer(t, query = '') {
  const context = await browser.newContext();
  t.after(() => context.close());
  const opened = await context.newPage();
  opened.setDefaultTimeout(60_000);
  await opened.goto(url + query);
  return opened;
}

const RUN = async ([record, question, options]) => {
  const { ChartProof } = await import('/index.js');
  const cp = await ChartProof.create(options);
  const progress = [];
  const { patients } = await cp.load([new File([record], 'record.json')], (step) => progress.push(step));
  const { answers } = await cp.verify({ ask: question });
  globalThis.cp = cp;
  return { engine: cp.engine, patients: patients.length, verdict: answers[0].verdict };
};
const RECORD = JSON.stringify(kidneyInjury());

test('in a worker, under a strict policy with Trusted Types', async (t) => {
  const opened = await consumer(t);
  assert.deepEqual(await opened.evaluate(RUN, [RECORD, QUESTION, {}]), { engine: 'worker', patients: 1, verdict: 'supported' });
  assert.equal(opened.workers().length, 1);
  const leak = await opened.workers()[0].evaluate(() => fetch('/index.js').then(() => 'sent', () => 'refused'));
  assert.equal(leak, 'refused');
});

test('on the page’s thread where the policy allows no worker, or none is wanted', async (t) => {
  for (const [query, options] of [["?workers='none'", {}], ['', { worker: false }]]) {
    const opened = await consumer(t, query);
    const { engine, verdict } = await opened.evaluate(RUN, [RECORD, QUESTION, options]);
    assert.deepEqual([engine, verdict], ['thread', 'supported']);
  }
});

test('after a fault what was asked is rejected, and the next load starts anew', async (t) => {
  const opened = await consumer(t);
  await opened.evaluate(RUN, [RECORD, QUESTION, {}]);
  const fault = () => self.dispatchEvent(new MessageEvent('message', { data: { id: 4_000_000_000, trap: true } }));
  await opened.workers()[0].evaluate(fault);
  const after = await opened.evaluate(async ([record, question]) => {
    const { cp } = globalThis;
    const lost = await cp.verify({ ask: question }).then(() => 'answered', ({ code }) => code);
    await cp.load([{ name: 'record.json', bytes: record }]);
    const { answers } = await cp.verify({ ask: question });
    return { lost, verdict: answers[0].verdict };
  }, [RECORD, QUESTION]);
  assert.ok(['trap', 'no_record'].includes(after.lost), after.lost);
  assert.equal(after.verdict, 'supported');
});
