// The package as a program in node uses it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { NOTE, QUESTION, kidneyInjury, ndjson } from '../e2e/records.mjs';
import { ChartProof, ChartProofError } from '../../pkg/index.js';

const PKG = new URL('../../pkg/', import.meta.url);
const TEXT = JSON.stringify(kidneyInjury(), null, 1);
const FILE = { name: 'record.json', bytes: TEXT };
const made = [];

async function chartProof(options) {
  const cp = await ChartProof.create(options);
  made.push(cp);
  return cp;
}

after(() => made.forEach((cp) => cp.dispose()));

const withCode = (code) => (error) => error instanceof ChartProofError && error.code === code;

test('a record loads, a question is answered, and its citations re-read', async () => {
  const cp = await chartProof();
  assert.equal(cp.engine, 'thread');
  const seen = [];
  const summary = await cp.load([FILE], (progress) => seen.push(progress));
  assert.deepEqual(summary.patients.map(({ id }) => id), ['Patient/p1']);
  assert.deepEqual(summary.files, [['record.json', createHash('sha256').update(TEXT).digest('hex')]]);
  assert.deepEqual(summary.refused, []);
  for (const { stage, done, total } of seen) assert.ok(['read', 'index'].includes(stage) && done <= total);

  const verified = await cp.verify({ ask: QUESTION });
  assert.equal(verified.outcome, 'answered');
  const [answer] = verified.answers;
  assert.equal(answer.verdict, 'supported');
  assert.ok(answer.axes.support >= answer.thresholds.support);

  const bytes = Buffer.from(TEXT, 'utf8');
  const citations = answer.evidence.flatMap((line) => line.citations);
  assert.ok(citations.length > 0);
  let inNote = 0;
  for (const citation of citations) {
    let value = bytes.subarray(citation.locator.byte_start, citation.locator.byte_end).toString('utf8');
    for (const step of citation.decode) {
      if (step === 'json-string') value = JSON.parse(value);
      else if (step === 'base64') value = Buffer.from(value, 'base64');
      else if (step === 'utf8-text') value = value.toString('utf8');
      else assert.ok(['utf8', 'json-literal'].includes(step), step);
    }
    assert.equal(Array.from(value).slice(citation.start, citation.end).join(''), citation.quote);
    inNote += value === NOTE;
    const view = await cp.source(citation);
    assert.ok(view.verified);
    assert.ok(Array.from(view.text).slice(...view.highlight).join('').includes(citation.quote));
  }
  assert.ok(inNote > 0, 'the note is cited too');
});

test('a bundle is exported under the digest of its answer', async () => {
  const cp = await chartProof();
  await cp.load([FILE]);
  await assert.rejects(cp.export('bundle'), withCode('no_answer'));
  const { answers } = await cp.verify({ ask: QUESTION });
  const text = await cp.export('bundle');
  assert.ok(JSON.parse(text));
  assert.equal(await cp.export('bundle', { digest: answers[0].bundle_digest }), text);
});

test('a parse can be edited and verified as a query', async () => {
  const cp = await chartProof();
  await cp.load([FILE]);
  const { query, statements } = await cp.parse(QUESTION);
  assert.equal(statements.length, query.queries.length);
  const asked = await cp.verify({ ask: QUESTION });
  const queried = await cp.verify({ query });
  assert.equal(queried.answers[0].bundle_digest, asked.answers[0].bundle_digest);
});

test('the timeline is in time order', async () => {
  const cp = await chartProof();
  await cp.load([FILE]);
  const { rows, truncated } = await cp.timeline('Patient/p1');
  assert.equal(truncated, null);
  const starts = rows.filter(({ bounds }) => bounds).map(({ bounds }) => bounds[0]);
  assert.ok(starts.length > 4);
  assert.deepEqual(starts, starts.toSorted?.((a, b) => a - b) ?? [...starts].sort((a, b) => a - b));
});

test('bytes, views and blobs are all files, and stay the caller’s', async () => {
  const cp = await chartProof();
  const bytes = new TextEncoder().encode(TEXT);
  const digests = [];
  for (const given of [bytes, bytes.buffer, Buffer.from(TEXT)]) {
    digests.push((await cp.load([{ name: 'record.json', bytes: given }])).digest);
  }
  digests.push((await cp.load([new File([bytes], 'record.json')])).digest);
  assert.equal(new Set(digests).size, 1);
  assert.equal(bytes.length, Buffer.byteLength(TEXT));
});

test('what cannot be read is refused by name and place', async () => {
  const cp = await chartProof();
  const summary = await cp.load([FILE, { name: 'broken.json', bytes: '{"resourceType":"Patient",\n  oops}' }]);
  assert.equal(summary.patients.length, 1);
  const [{ file, location }] = summary.refused;
  assert.equal(file, 'broken.json');
  assert.match(location, /line 2 column \d+/);
  await assert.rejects(cp.load([{ name: 'broken.json', bytes: '{' }]), withCode('nothing_read'));
  await assert.rejects(cp.verify({ ask: QUESTION }), withCode('no_record'));
});

test('requests made at once are answered in turn', async () => {
  const cp = await chartProof();
  const load = cp.load([FILE]);
  const verdicts = await Promise.all([QUESTION, QUESTION].map((ask) => cp.verify({ ask })));
  await load;
  assert.deepEqual(verdicts.map(({ answers }) => answers[0].verdict), ['supported', 'supported']);
});

test('an aborted load leaves no record, and the next one works', async () => {
  const cp = await chartProof();
  await cp.load([FILE]);
  const abort = new AbortController();
  const load = cp.load([{ name: 'big.ndjson', bytes: ndjson(8_000_000) }], () => abort.abort(), { signal: abort.signal });
  await assert.rejects(load, { name: 'AbortError' });
  await assert.rejects(cp.verify({ ask: QUESTION }), withCode('no_record'));
  await cp.load([FILE]);
  assert.equal((await cp.verify({ ask: QUESTION })).answers[0].verdict, 'supported');
});

test('a fault says where it was and nothing else, and other cores go on', async () => {
  const { freshGlue } = await import('../../pkg/engine.js');
  const glue = freshGlue();
  await glue({ module_or_path: await readFile(new URL('dist/core/core_bg.wasm', PKG)) });
  assert.throws(() => glue.Core.__trap(), (error) => {
    assert.match(error.message, /^stopped at [^ ]+\.rs:\d+$/);
    return true;
  });
  const cp = await chartProof();
  await cp.load([FILE]);
  assert.equal((await cp.verify({ ask: QUESTION })).outcome, 'answered');
});

test('the samples answer as their list says', async () => {
  const www = new URL('../../www/demo/', import.meta.url);
  for (const { file, questions } of JSON.parse(await readFile(new URL('questions.json', www), 'utf8'))) {
    const cp = await chartProof();
    await cp.load([{ name: file, bytes: await readFile(new URL(file, www)) }]);
    for (const { ask, expect } of questions) {
      const { answers } = await cp.verify({ ask });
      assert.deepEqual(answers?.map(({ verdict }) => verdict), [expect], ask);
    }
  }
});

test('a disposed one says so', async () => {
  const cp = await ChartProof.create();
  const load = cp.load([FILE]);
  cp.dispose();
  await assert.rejects(load, withCode('disposed'));
  await assert.rejects(cp.parse('x'), withCode('disposed'));
});

test('the core can be given as bytes or as a module', async () => {
  const bytes = await readFile(new URL('dist/core/core_bg.wasm', PKG));
  for (const wasm of [bytes, await WebAssembly.compile(bytes)]) {
    const cp = await chartProof({ wasm });
    assert.equal((await cp.load([FILE])).patients.length, 1);
  }
});

test('every key of an answer is declared in the types', async () => {
  const declared = new Set((await readFile(new URL('index.d.ts', PKG), 'utf8')).match(/\b\w+(?=\??:)/g));
  const cp = await chartProof();
  const results = [await cp.load([FILE]), await cp.verify({ ask: QUESTION }), await cp.parse(QUESTION), await cp.timeline('Patient/p1')];
  const undeclared = new Set();
  const byName = ['events', 'edges']; // maps from a kind to a number
  const walk = (value) => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (value === null || typeof value !== 'object') return undefined;
    for (const [key, inner] of Object.entries(value)) {
      if (!declared.has(key)) undeclared.add(key);
      if (!byName.includes(key) || Array.isArray(inner)) walk(inner);
    }
    return undefined;
  };
  results.forEach(walk);
  assert.deepEqual([...undeclared], []);
});
