// The page as a person uses it: by roles and names. One browser a test file, one context a page.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { QUESTION, kidneyInjury } from './records.mjs';
import { front } from './front.mjs';

export const BASE = process.env.BASE_URL;
assert.ok(BASE, 'BASE_URL has to name the server of the built page');

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Machines that run tests are slow and shared; what is waited for comes, or a test fails with its own words. */
export const PATIENCE = 60_000;

let browser;
after(() => browser?.close());

export async function launched() {
  browser ??= await chromium.launch({
    executablePath: process.env.CHARTPROOF_CHROMIUM ?? '/usr/bin/chromium',
    args: FLAGS,
    headless: true,
  });
  return browser;
}

/** A server of the built page for one test, closed with it. */
export async function served(t, pages) {
  const server = await front(BASE, pages);
  t.after(() => server.close());
  return server;
}

export const RECORD = { name: 'record.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(kidneyInjury(), null, 1)) };

export class App {
  /** Violations of content security policies, in the page and in its workers. */
  violations = [];
  errors = [];

  constructor(page) {
    this.page = page;
    this.element = page.locator('chart-proof').first();
  }

  /** Opens the page; `t` ends it. `ready: false` does not wait until it takes files. */
  static async open(t, { url = BASE, ready = true, ...options } = {}) {
    const context = await (await launched()).newContext({ viewport: { width: 1280, height: 900 }, ...options });
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const app = new App(page);
    await page.exposeFunction('tellViolation', (what) => app.violations.push(what));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        globalThis.tellViolation(`page: ${event.effectiveDirective} ${event.blockedURI}`);
      });
      globalThis.told = [];
      for (const name of ['chartproof-ready', 'chartproof-loaded', 'chartproof-verdict', 'chartproof-error']) {
        document.addEventListener(name, ({ detail }) => globalThis.told.push({ name, detail, at: performance.now() }));
      }
      globalThis.longTasks = [];
      new PerformanceObserver((list) => {
        globalThis.longTasks.push(...list.getEntries().map(({ duration, startTime }) => ({ duration, startTime })));
      }).observe({ type: 'longtask', buffered: true });
    });
    page.on('worker', (worker) => app.#listenIn(worker));
    page.on('pageerror', (error) => app.errors.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) app.violations.push(`console: ${message.text()}`);
    });
    await page.goto(url);
    if (ready) await app.ready();
    return app;
  }

  #listenIn(worker) {
    const listen = () => {
      self.violations = [];
      self.addEventListener('securitypolicyviolation', (event) => self.violations.push(event.effectiveDirective));
    };
    worker.evaluate(listen).catch(() => {});
  }

  ready() {
    return this.page.waitForFunction(() => globalThis.told.some(({ name }) => name === 'chartproof-ready'));
  }

  /** Events of the element so far, by name. */
  async told(name) {
    const told = await this.page.evaluate(() => globalThis.told);
    return told.filter((event) => event.name === name).map(({ detail }) => detail);
  }

  button(name, options) {
    return this.page.getByRole('button', { name, exact: true, ...options });
  }

  heading(name) {
    return this.page.getByRole('heading', { name, exact: true });
  }

  /** Picks files without waiting for what comes of it. */
  pick(...files) {
    return this.page.locator('input[type=file]').first().setInputFiles(files);
  }

  async load(...files) {
    await this.pick(...(files.length ? files : [RECORD]));
    await this.heading('Ask').waitFor();
  }

  async ask(question = QUESTION) {
    await this.page.getByLabel('Question or statement to check').fill(question);
    await this.button('Check').click();
    return this.verdict();
  }

  /** The word on the card. */
  async verdict() {
    const card = this.page.getByRole('article').first();
    await card.waitFor();
    return (await card.getByRole('heading', { level: 2 }).first().innerText()).trim();
  }

  get citations() {
    return this.page.getByRole('list', { name: 'Sources' }).getByRole('button').filter({ has: this.page.locator('q') });
  }

  /** Opens a citation; returns its quote and the words that are highlighted in the source. */
  async look(citation) {
    const quote = await citation.locator('q').innerText();
    await citation.click();
    const source = this.page.getByRole('dialog', { name: 'Source' });
    const mark = source.locator('pre mark');
    await mark.waitFor();
    return { source, quote, marked: await mark.innerText(), text: await source.locator('pre').innerText() };
  }

  /** Ends the core that serves now the way a fault in it would; the other worker is the spare. */
  async trap() {
    const [worker] = this.page.workers();
    await worker.evaluate(() => {
      self.dispatchEvent(new MessageEvent('message', { data: { id: 4_000_000_000, trap: true } }));
    });
  }

  async axe() {
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.flat().join(' ')).join(', ')}`);
  }

  async assertNoViolations() {
    for (const worker of this.page.workers()) {
      this.violations.push(...(await worker.evaluate(() => self.violations ?? [])).map((what) => `worker: ${what}`));
    }
    assert.deepEqual(this.violations, []);
    assert.deepEqual(this.errors, []);
  }
}
