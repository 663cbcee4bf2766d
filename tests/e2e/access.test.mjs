// Everybody can use it: axe in every state, and the whole way by keyboard.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App, RECORD } from './app.mjs';
import { QUESTION } from './records.mjs';

const WIDTHS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

for (const viewport of WIDTHS) {
  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing at ${viewport.width} px, ${colorScheme}`, async (t) => {
      const app = await App.open(t, { viewport, colorScheme, reducedMotion: 'reduce' });
      const found = {};
      const look = async (state) => {
        const faults = await app.axe();
        if (faults.length) found[state] = faults;
      };
      await look('empty');
      await app.load(RECORD, { name: 'broken.json', mimeType: 'application/json', buffer: Buffer.from('{') });
      await look('loaded');
      await app.ask();
      await look('verdict');
      for (const part of await app.page.locator('details > summary:visible').all()) await part.click();
      await look('verdict, all parts open');
      await app.look(app.citations.first());
      await look('source viewer');
      const overflow = await app.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
      assert.deepEqual(found, {});
      await app.assertNoViolations();
    });
  }
}

test('from pasted text to the quoted words by keyboard alone', async (t) => {
  const app = await App.open(t);
  const { keyboard } = app.page;
  await tabTo(app, 'Paste instead');
  await keyboard.press('Enter');
  await tabTo(app, 'FHIR JSON');
  await keyboard.insertText(RECORD.buffer.toString());
  await tabTo(app, 'Open pasted text');
  await keyboard.press('Enter');
  await app.heading('Ask').waitFor();
  await tabTo(app, 'Question or statement to check');
  await keyboard.insertText(QUESTION);
  await keyboard.press('Enter');
  assert.equal(await app.verdict(), 'Supported');
  await app.citations.first().waitFor();
  await tabTo(app, (focused) => focused.matches('button') && focused.querySelector('q'));
  await keyboard.press('Enter');
  const source = app.page.getByRole('dialog', { name: 'Source' });
  await source.locator('pre mark').waitFor();
  await keyboard.press('Escape');
  await source.waitFor({ state: 'hidden' });
  assert.ok(await focusedIs(app, (focused) => focused.querySelector('q')), 'the focus is back on the citation');
});

/** Walks on until the element of that name, or of that test, has the focus. */
async function tabTo(app, wanted) {
  for (let n = 0; n < 200; n += 1) {
    await app.page.keyboard.press('Tab');
    const there = typeof wanted === 'string' ? (await focusedName(app)) === wanted : await focusedIs(app, wanted);
    if (there) return;
  }
  assert.fail(`no way by keyboard to ${wanted}`);
}

const DEEPEST = `(() => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
})()`;

/** As text: the page's policy lets no function be made of text, the test's own channel does. */
function focusedIs(app, wanted) {
  return app.page.evaluate(`Boolean((${wanted})(${DEEPEST}))`);
}

function focusedName(app) {
  return app.page.evaluate(`((focused) =>
    (focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent ?? focused.textContent).trim())(${DEEPEST})`);
}
