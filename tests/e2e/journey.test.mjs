// From a record to the words an answer rests on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, RECORD } from './app.mjs';
import { QUESTION } from './records.mjs';

test('a sample, its first question, the verdict, a citation, the quoted words', async (t) => {
  const app = await App.open(t);
  const samples = app.page.locator('.samples').getByRole('button');
  assert.ok((await samples.count()) >= 2, 'two samples');
  await samples.first().click();
  await app.heading('Ask').waitFor();
  await app.page.locator('.examples').getByRole('button').first().click();
  assert.match(await app.verdict(), /^(Supported|Conflicting|Refuted|Insufficient evidence)$/);
  const { quote, marked } = await app.look(app.citations.first());
  assert.ok(same(quote, marked), `${quote} is not ${marked}`);
  await app.assertNoViolations();
});

test('an own file: all citations lead to their very words', async (t) => {
  const app = await App.open(t);
  await app.load();
  assert.equal(await app.ask(), 'Supported');
  const citations = await app.citations.all();
  assert.ok(citations.length >= 3);
  let inNote = false;
  for (const citation of citations.slice(0, 12)) {
    if (!(await citation.isVisible())) continue;
    const { source, quote, marked, text } = await app.look(citation);
    assert.ok(same(quote, marked), `${quote} is not ${marked}`);
    inNote ||= text.includes('🩺');
    await source.getByRole('button', { name: 'Close', exact: true }).click();
    await source.waitFor({ state: 'hidden' });
  }
  assert.ok(inNote, 'the note, with its characters of several bytes, is cited too');
  const [verdict] = await app.told('chartproof-verdict');
  assert.equal(verdict.answers[0].verdict, 'supported');
  assert.deepEqual(Object.keys(verdict.answers[0]).sort(), ['assessor', 'bundleDigest', 'verdict']);
  await app.assertNoViolations();
});

test('files can be dropped on the page', async (t) => {
  const app = await App.open(t);
  const transfer = await app.page.evaluateHandle((text) => {
    const made = new DataTransfer();
    made.items.add(new File([text], 'dropped.json', { type: 'application/json' }));
    return made;
  }, RECORD.buffer.toString());
  await app.page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
  await app.heading('Ask').waitFor();
});

test('files that cannot be read are refused by name and place', async (t) => {
  const app = await App.open(t);
  const broken = { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{"resourceType":"Patient",\n  oops}') };
  await app.load(RECORD, broken);
  const refused = app.page.getByRole('row').filter({ hasText: 'broken.json' });
  await refused.waitFor();
  assert.match(await refused.innerText(), /line 2/);
  await app.button('Close record').click();
  await app.pick(broken);
  const alert = app.page.getByRole('alert').filter({ hasText: 'broken.json' });
  await alert.waitFor();
  assert.match(await alert.innerText(), /line 2/);
  // The page is as usable as before.
  await app.load();
  assert.equal(await app.ask(QUESTION), 'Supported');
});

/** A long quote is shortened on its button. */
function same(quote, marked) {
  const flat = (text) => text.replace(/\s+/g, ' ').trim();
  return quote.endsWith('…') ? flat(marked).startsWith(flat(quote.slice(0, -1))) : flat(quote) === flat(marked);
}
