// Sixty megabytes: the page stays responsive while they are read.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { App } from './app.mjs';
import { ndjson } from './records.mjs';

/** A task of the main thread longer than this is felt, in milliseconds. */
const FELT = 50;
/** The record is drawn once, when it is there; that may take this long. */
const DRAWN = 200;

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
  await app.page.waitForTimeout(1_000);
  const { end, tasks } = await app.page.evaluate(() => ({
    end: globalThis.told.find(({ name }) => name === 'chartproof-loaded').at,
    tasks: globalThis.longTasks,
  }));
  const said = (list) => list.map(({ startTime, duration }) => `${Math.round(duration)} ms at ${Math.round(startTime - start)} ms`).join(', ') || 'none';
  const during = tasks.filter(({ startTime }) => startTime >= start && startTime < end);
  const drawing = tasks.filter(({ startTime }) => startTime >= end);
  t.diagnostic(`60 MB in ${Math.round(end - start)} ms; tasks of the main thread over 50 ms: ${said(during)}; drawing the record: ${said(drawing)}`);
  assert.ok(during.every(({ duration }) => duration <= FELT), `during the load: ${said(during)}`);
  assert.ok(drawing.every(({ duration }) => duration <= DRAWN), `drawing the record: ${said(drawing)}`);
  await app.assertNoViolations();
});
