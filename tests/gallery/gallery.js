// Every state of the page, played from fixtures through a port that only pretends to be the core.
// gallery.html?state=supported; serve the root of the repository after a build into dist/.
import init, { mount } from '../../dist/chartproof.js';

const demos = [
  { name: 'kidney', title: 'Kidney injury and vancomycin', url: 'demo/kidney.json', questions: ['Was acute kidney injury documented after vancomycin?'] },
  { name: 'bleeding', title: 'Bleeding and anticoagulation', url: 'demo/bleeding.json', questions: ['Was apixaban given before the bleeding?'] },
];

// What the core answers in each state; `null` is silence.
const common = { load: 'loaded', timeline: 'timeline', parse: 'parsed', verify: 'verified-supported', source: 'source-note' };
const states = {
  empty: {},
  loading: { load: { event: 'progress', progress: { stage: 'read', done: 62, total: 100 } } },
  cancelled: { load: { event: 'cancelled' } },
  failed: { load: 'failed' },
  restarted: { load: 'restarted' },
  'nothing-read': { load: 'nothing' },
  open: {},
  incomplete: { load: 'loaded-incomplete' },
  parsing: { parse: null },
  verifying: { verify: { event: 'progress', progress: { stage: 'search', done: 4, total: 10 } } },
  blocked: { parse: 'parsed-blocked' },
  refusal: { parse: 'parsed-refused' },
  'not-executable': { parse: 'parsed-not-executable' },
  'ask-failed': { verify: 'failed' },
  supported: {},
  conflicting: { verify: 'verified-conflicting' },
  refuted: { verify: 'verified-refuted' },
  insufficient: { verify: 'verified-insufficient' },
  source: {},
  'source-json': { source: 'source-json' },
  'source-unverified': { source: 'source-unverified' },
};
const opens = ['open', 'incomplete'];
const asks = Object.keys(states).slice(Object.keys(states).indexOf('parsing'));

const fixture = async (name) => (await fetch(`fixtures/${name}.json`)).text();

class ScriptedPort {
  onmessage = null;
  constructor(script) { this.script = { ...common, ...script }; }
  async postMessage(message) {
    const command = message.command ? JSON.parse(message.command).do : message.load ? 'load' : null;
    const answer = this.script[command];
    if (!answer) return;
    if (answer === 'restarted') { this.onmessage?.({ data: { restarted: true, reason: 'out of memory' } }); return; }
    let event = typeof answer === 'string' && answer !== 'nothing' ? await fixture(answer) : JSON.stringify(answer);
    if (answer === 'nothing') {
      const loaded = JSON.parse(await fixture('loaded-incomplete'));
      loaded.summary.patients = [];
      event = JSON.stringify(loaded);
    }
    this.onmessage?.({ data: { id: message.id, event } });
  }
}

const state = new URLSearchParams(location.search).get('state') ?? 'supported';
const settled = (test) => new Promise((done) => {
  const timer = setInterval(() => { const found = test(); if (found) { clearInterval(timer); done(found); } }, 10);
});

const css = new CSSStyleSheet();
css.replaceSync(await (await fetch('../../www/chartproof.css')).text());
const shadow = document.querySelector('#host').attachShadow({ mode: 'open' });
shadow.adoptedStyleSheets = [css];
const root = document.createElement('div');
root.setAttribute('part', 'root');
shadow.append(root);

await init({ module_or_path: new URL('../../dist/chartproof_bg.wasm', import.meta.url) });
const fetch_demo = async () => new TextEncoder().encode('{}').buffer;
globalThis.handle = mount(root, new ScriptedPort(states[state]), { demos, engine: 'worker', fetch_demo });

if (state !== 'empty') {
  (await settled(() => root.querySelector('.sample'))).click();
  if (opens.includes(state) || asks.includes(state)) await settled(() => root.querySelector('.lanes-svg'));
  if (asks.includes(state)) (await settled(() => root.querySelector('.chip'))).click();
  if (state.startsWith('source')) {
    (await settled(() => root.querySelector('.cite'))).click();
    await settled(() => root.querySelector('.source-text'));
  }
}
await new Promise((done) => setTimeout(done, 150));
document.documentElement.dataset.ready = state;
