// Sixty megabytes: the page stays responsive while they are read.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { App } from './app.mjs';
import { ndjson } from './records.mjs';

/** A task of the main thread longer than this is felt. */
const FELT = 50;

test('no task of the main thread is felt while 60 MB are loaded', { timeout: 300_000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'chartproof-big-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = [];
  for (let n = 0; n < 6; n += 1) {
    files.push(join(folder, `part-${n}.ndjson`));
    await writeFile(files[n], ndjson(10_000_000, `big-${n}`));
  }
  const app = await App.open(t);
  app.page.setDefaultTimeout(240_000);
  const start = await app.page.evaluate(() => performance.now());
  await app.pick(...files);
  await app.heading('Ask').waitFor();
  const { end, tasks } = await app.page.evaluate(() => ({ end: performance.now(), tasks: globalThis.longTasks }));
  // The tasks while the load runs; the last half second draws the record.
  const during = tasks.filter(({ startTime }) => startTime >= start).map(({ duration }) => duration);
  const longest = Math.max(0, ...during);
  t.diagnostic(`60 MB in ${Math.round(end - start)} ms; longest task of the main thread ${Math.round(longest)} ms`);
  assert.ok(longest <= FELT, `a task of ${Math.round(longest)} ms`);
  await app.assertNoViolations();
});
