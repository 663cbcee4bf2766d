// The element <chart-proof>: gets the parts, starts the core in a worker (or on the page's thread where none may start),
// mounts the page into its shadow root, and replaces a core that fell over.
//
// Attributes: `engine="page"` keeps the core on the page's thread; `demos` is the address of a list of samples.
// Property:   `record`, an array of File or {name, bytes}; null closes what is open.
// Events:     `chartproof-ready` {engine, version}, `chartproof-loaded`, `chartproof-verdict` {answers: [{verdict, bundleDigest, assessor}]},
//             `chartproof-error` {code, reason}; they bubble, cross the shadow boundary, and never carry record content.
//
// Where the document says `data-chartproof-page`, the page gives up its right to send requests once all parts are in.
import { serveCore } from './serve-core.js';

const BASE = new URL('.', import.meta.url);
const WORKER = new URL('core-worker.js', BASE).href;
/** How long a worker may take to answer for the first time before the page's own thread is used, in milliseconds. */
const WORKER_PATIENCE = 15_000;
/** How long a cancelled request may go on before its core is replaced, in milliseconds. */
const CANCEL_PATIENCE = 3_000;

const TEXT = {
  loading: 'Loading ChartProof',
  title: 'ChartProof could not start',
  again: 'Try again',
  noWasm: 'This browser cannot run WebAssembly, which ChartProof is built with. A current browser can.',
  blocked:
    "Your browser or this site's policy blocks WebAssembly. The policy of the site has to allow 'wasm-unsafe-eval' for its own scripts.",
  part: (name) => `A part of ChartProof could not be fetched, or is not the one this page was built with: ${name}.`,
  other: (reason) => `Something unexpected happened: ${reason}.`,
  unanswered: 'the reader did not answer',
  died: 'the reader ended',
};

/** Why ChartProof cannot run here; `message` is for people. */
class StartFault extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

function faultOf(error) {
  if (error instanceof StartFault) return error;
  if (typeof WebAssembly !== 'object') return new StartFault('no_wasm', TEXT.noWasm);
  if (error instanceof WebAssembly.CompileError) return new StartFault('wasm_blocked', TEXT.blocked);
  return new StartFault('start', TEXT.other(error?.name ?? 'no reason is known'));
}

// ---- Parts: fetched once for all elements of a document.

let parts;

function getParts() {
  parts ??= fetchParts().catch((error) => {
    parts = undefined;
    throw error;
  });
  return parts;
}

async function fetchParts() {
  if (typeof WebAssembly !== 'object') throw new StartFault('no_wasm', TEXT.noWasm);
  // A host that repacks the files has no list of digests.
  const digests = await fetchPart('sri.json', {}).then((list) => list.json()).catch(() => ({}));
  const compiled = async (name) => WebAssembly.compile(await (await fetchPart(name, digests)).arrayBuffer());
  const [css, ui, core, glue] = await Promise.all([
    fetchPart('chartproof.css', digests).then((part) => part.text()),
    compiled('chartproof_bg.wasm'),
    compiled('chartproof-wasm_bg.wasm'),
    imported('./chartproof.js'),
  ]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  await glue.default({ module_or_path: ui });
  return { sheet, core, mount: glue.mount };
}

async function fetchPart(name, digests) {
  const integrity = digests[name] ?? '';
  const part = await fetch(new URL(name, BASE), { credentials: 'same-origin', integrity }).catch(() => null);
  if (!part?.ok) throw new StartFault('part_missing', TEXT.part(name));
  return part;
}

const imported = (path) =>
  import(path).catch(() => {
    throw new StartFault('part_missing', TEXT.part(path));
  });

/** The samples, a list of {name, title, file, questions: [{ask}]}, and their bytes: later there may be no way to them. */
async function fetchDemos(address) {
  if (!address) return [];
  const list = new URL(address, document.baseURI);
  const get = async (url) => {
    const found = await fetch(url, { credentials: 'same-origin' });
    if (!found.ok) throw new Error(`HTTP ${found.status}`);
    return found;
  };
  try {
    const demos = await (await get(list)).json();
    return await Promise.all(
      demos.map(async ({ name, title, file = `${name}.json`, questions = [] }) => {
        const url = new URL(file, list).href;
        return { name, title, url, questions: questions.map(({ ask }) => ask), bytes: await (await get(url)).arrayBuffer() };
      }),
    );
  } catch {
    // Samples are a help; the page works without them.
    return [];
  }
}

// ---- Cores: a port each, with postMessage, onmessage and end.

/** One Trusted Types policy a document, shared with the npm package; it lets named workers through and nothing else. */
function trusted(url) {
  if (!globalThis.trustedTypes) return url;
  const shared = (globalThis[Symbol.for('chartproof.policy')] ??= (() => {
    const allowed = new Set();
    const createScriptURL = (asked) => {
      if (!allowed.has(asked)) throw new TypeError('not a worker of ChartProof');
      return asked;
    };
    return { allowed, policy: globalThis.trustedTypes.createPolicy('chartproof', { createScriptURL }) };
  })());
  shared.allowed.add(url);
  return shared.policy.createScriptURL(url);
}

function workerCore() {
  const worker = new Worker(trusted(WORKER), { type: 'module', name: 'chartproof' });
  worker.end = () => worker.terminate();
  return worker;
}

let localCores = 0;

async function localCore() {
  // A module of its own for each core: one that fell over cannot be started again.
  const glue = await imported(`./chartproof-wasm.js?core=${(localCores += 1)}`);
  const { port1, port2 } = new MessageChannel();
  serveCore(port2, glue);
  port1.end = () => {
    port1.postMessage({ close: true });
    setTimeout(() => port1.close());
  };
  return port1;
}

/** Hands the compiled core over and waits until it answers. */
function started(core, module, patience) {
  return new Promise((done, refuse) => {
    const stop = (reason) => {
      clearTimeout(timer);
      core.end();
      refuse(reason);
    };
    const timer = patience && setTimeout(() => stop(new Error(TEXT.unanswered)), patience);
    core.onerror = (event) => {
      event.preventDefault?.();
      stop(new Error(TEXT.died));
    };
    core.onmessage = ({ data }) => {
      if (data.broken !== undefined) return stop(new WebAssembly.CompileError(data.broken));
      clearTimeout(timer);
      core.version = data.ready;
      // It may end while it waits for its turn.
      core.onerror = () => (core.dead = true);
      core.onmessage = (message) => (core.dead ||= message.data.broken !== undefined);
      done(core);
    };
    core.postMessage({ module });
  });
}

/** The line between the page and its core. The page's end stays the same when the core is replaced. */
class Line {
  /** `worker` or `page`: where the core runs. */
  engine;
  #module;
  #told;
  #here;
  #core;
  #spare;
  #waiting = [];
  #open = new Set();
  #closed = false;

  /** `told` is called with what the outside may know: (name, detail). */
  constructor(module, engine, told) {
    this.#module = module;
    this.engine = engine;
    this.#told = told;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.#here = port2;
    this.#here.onmessage = ({ data }) => this.#toCore(data);
  }

  async start() {
    this.#use(await this.#another().catch((error) => this.#onThisThread(error)));
    await this.#keepSpare();
  }

  get version() {
    return this.#core?.version;
  }

  end() {
    this.#closed = true;
    this.#core?.end();
    this.#spare?.then((core) => core?.end());
    this.#here.close();
    this.port.close();
  }

  async #another() {
    if (this.engine === 'page') return started(await localCore(), this.#module, 0);
    return started(workerCore(), this.#module, WORKER_PATIENCE);
  }

  /** The last resort; `reason` is why there is no worker. */
  #onThisThread(reason) {
    if (this.engine === 'page' || reason instanceof StartFault) throw reason;
    this.engine = 'page';
    return this.#another();
  }

  /** Made ahead: later the network may be off or given up. */
  #keepSpare() {
    this.#spare = this.#another().catch(() => null);
    return this.#spare;
  }

  async #next() {
    const spare = await this.#spare;
    if (spare && !spare.dead) return spare;
    return this.#another().catch((error) => this.#onThisThread(error));
  }

  #use(core) {
    if (this.#closed) return core.end();
    this.#core = core;
    core.onmessage = ({ data }) => this.#fromCore(core, data);
    core.onerror = (event) => {
      event.preventDefault?.();
      this.#replace(core, TEXT.died);
    };
    for (const message of this.#waiting.splice(0)) this.#toCore(message);
  }

  #toCore(message) {
    if (!this.#core) return void this.#waiting.push(message);
    if (message.cancel !== undefined) this.#watch(message.cancel);
    else this.#open.add(message.id);
    this.#core.postMessage(message, message.load?.map(({ bytes }) => bytes) ?? []);
  }

  /** A core that works on after it was told to stop is replaced. */
  #watch(id) {
    const core = this.#core;
    setTimeout(() => this.#open.has(id) && this.#replace(core, TEXT.unanswered), CANCEL_PATIENCE);
  }

  #fromCore(core, message) {
    if (message.broken !== undefined) return this.#replace(core, message.broken);
    const { id, event } = message;
    if (typeof event !== 'string') return;
    if (!event.startsWith('{"event":"progress"')) this.#open.delete(id);
    this.#here.postMessage(message);
    if (event.startsWith('{"event":"loaded"')) this.#told('chartproof-loaded');
    if (event.startsWith('{"event":"verified"')) this.#tellVerdict(event);
  }

  #tellVerdict(event) {
    const { verified } = JSON.parse(event);
    if (verified.outcome !== 'answered') return;
    const answers = verified.answers.map(({ verdict, bundle_digest: bundleDigest, assessor }) => ({
      verdict,
      bundleDigest,
      assessor,
    }));
    this.#told('chartproof-verdict', { answers });
  }

  async #replace(core, reason) {
    if (this.#closed || core !== this.#core) return;
    core.end();
    this.#core = undefined;
    const event = JSON.stringify({ event: 'failed', code: 'trap', message: reason });
    for (const id of this.#open) this.#here.postMessage({ id, event });
    this.#open.clear();
    this.#told('chartproof-error', { code: 'trap', reason });
    const next = await this.#next().catch(() => null);
    if (!next) return this.#told('chartproof-lost', { code: 'lost', reason });
    this.#use(next);
    this.#here.postMessage({ restarted: true, reason });
    return this.#keepSpare();
  }
}

// ---- The element.

/** From now on this page can send no request. A worker is not bound by this; its own response binds it. */
function giveUpNetwork() {
  if (document.querySelector('meta[data-chartproof-lock]')) return;
  const meta = document.createElement('meta');
  meta.httpEquiv = 'Content-Security-Policy';
  meta.content = "connect-src 'none'";
  meta.dataset.chartproofLock = '';
  document.head.append(meta);
}

class ChartProofElement extends HTMLElement {
  #life;
  #root;
  #line;
  #handle;
  #record;

  connectedCallback() {
    this.#upgrade('record');
    if (!this.#life) this.#start();
  }

  disconnectedCallback() {
    // A move in the document is a removal and an insertion at once.
    queueMicrotask(() => this.isConnected || this.#stop());
  }

  /** An array of File, or of {name, bytes}; null closes what is open. */
  set record(files) {
    if (files?.length) {
      this.#record = Array.from(files, (file) => (file instanceof File ? file : new File([file.bytes], file.name)));
      this.#hand();
    } else if (this.#handle) {
      this.#stop();
      this.#start();
    } else {
      this.#record = undefined;
    }
  }

  /** A property set before the element was defined hides the one of the class. */
  #upgrade(name) {
    if (!Object.hasOwn(this, name)) return;
    const value = this[name];
    delete this[name];
    this[name] = value;
  }

  async #start() {
    const life = (this.#life = {});
    const root = this.#emptyRoot();
    const status = document.createElement('p');
    status.role = 'status';
    status.textContent = TEXT.loading;
    root.append(status);
    try {
      const [{ sheet, core, mount }, demos] = await Promise.all([getParts(), fetchDemos(this.getAttribute('demos'))]);
      if (this.#life !== life) return;
      this.shadowRoot.adoptedStyleSheets = [sheet];
      const line = new Line(core, this.getAttribute('engine') === 'page' ? 'page' : 'worker', (name, detail) => {
        if (name === 'chartproof-lost') this.#fail(new StartFault('lost', TEXT.other(detail.reason)));
        else this.#tell(name, detail);
      });
      this.#line = line;
      await line.start();
      if (this.#life !== life) return line.end();
      status.remove();
      this.#handle = mount(root, line.port, {
        engine: line.engine,
        demos: demos.map(({ bytes, ...demo }) => demo),
        fetch_demo: async (name) => demos.find((demo) => demo.name === name).bytes.slice(0),
      });
      this.#hand();
      if (document.documentElement.hasAttribute('data-chartproof-page')) giveUpNetwork();
      this.#tell('chartproof-ready', { engine: line.engine, version: line.version });
    } catch (error) {
      if (this.#life === life) this.#fail(faultOf(error));
    }
  }

  #stop() {
    this.#life = undefined;
    try {
      this.#handle?.free();
    } catch {
      // A page that fell over itself cannot be taken down in order.
    }
    this.#handle = undefined;
    this.#line?.end();
    this.#line = undefined;
    this.#root?.replaceChildren();
  }

  #hand() {
    if (!this.#handle || !this.#record) return;
    this.#handle.open(this.#record);
    this.#record = undefined;
  }

  #emptyRoot() {
    const shadow = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    if (!this.#root) {
      this.#root = document.createElement('div');
      this.#root.part = 'root';
      shadow.append(this.#root);
    }
    this.#root.replaceChildren();
    return this.#root;
  }

  #fail(fault) {
    this.#stop();
    const part = (name, text, className = '') =>
      Object.assign(document.createElement(name), { textContent: text, className });
    const panel = part('div', '', 'notice bad');
    panel.role = 'alert';
    const again = part('button', TEXT.again, 'secondary');
    again.type = 'button';
    again.addEventListener('click', () => this.#start());
    const words = part('div', '');
    words.append(part('p', TEXT.title, 'notice-title'), part('p', fault.message), again);
    panel.append(words);
    this.#emptyRoot().append(panel);
    this.#tell('chartproof-error', { code: fault.code, reason: fault.message });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

if (!customElements.get('chart-proof')) customElements.define('chart-proof', ChartProofElement);
