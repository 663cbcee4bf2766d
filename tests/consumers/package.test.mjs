// What `npm pack` puts into the package is all that its entry points need.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { QUESTION, kidneyInjury } from '../e2e/records.mjs';

const run = promisify(execFile);
const PKG = fileURLToPath(new URL('../../pkg/', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'chartproof-pkg-'));
after(() => rm(folder, { recursive: true, force: true }));

test('the packed package works by itself', async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], { cwd: PKG });
  const [{ filename, files }] = JSON.parse(stdout);
  const paths = files.map(({ path }) => path);
  for (const needed of ['index.js', 'index.d.ts', 'engine.js', 'worker.js', 'dist/core/core_bg.wasm', 'README.md']) {
    assert.ok(paths.includes(needed), `${needed} is not packed`);
  }
  await run('tar', ['-xzf', join(folder, filename), '-C', folder]);
  const { ChartProof } = await import(pathToFileURL(join(folder, 'package/index.js')));
  const cp = await ChartProof.create();
  await cp.load([{ name: 'record.json', bytes: JSON.stringify(kidneyInjury()) }]);
  assert.equal((await cp.verify({ ask: QUESTION })).answers[0].verdict, 'supported');
  cp.dispose();
});

test('the worker imports nothing, and what the package exports is there', async () => {
  const worker = await readFile(join(PKG, 'worker.js'), 'utf8');
  assert.doesNotMatch(worker, /^\s*(import|export)\b/m);
  const { exports } = JSON.parse(await readFile(join(PKG, 'package.json'), 'utf8'));
  for (const target of Object.values(exports).flatMap((entry) => (typeof entry === 'string' ? entry : Object.values(entry)))) {
    await readFile(join(PKG, target));
  }
});
