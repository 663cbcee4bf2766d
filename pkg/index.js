// ChartProof for programs: one record, questions, verdicts with citations. See index.d.ts for what everything means.

// Bundlers look for exactly this form.
const WORKER = new URL('./worker.js', import.meta.url).href;
const WASM = new URL('./dist/core/core_bg.wasm', import.meta.url).href;
/** How long a worker may take to answer for the first time, in milliseconds. */
const WORKER_PATIENCE = 15_000;
/** How long a request may go on after it was cancelled before its core is given up, in milliseconds. */
const CANCEL_PATIENCE = 3_000;

/** What went wrong, with a stable code. Its message holds no record content. */
export class ChartProofError extends Error {
  constructor(code, message) {
    super(message ? `${code}: ${message}` : code);
    this.name = 'ChartProofError';
    this.code = code;
  }
}

export class ChartProof {
  #module;
  #worker;
  #core;
  #starting;
  #last = 0;
  #open = new Map();
  #digests = [];
  #reading;
  #disposed = false;

  /** Use {@link ChartProof.create}. */
  constructor(module, worker) {
    this.#module = module;
    this.#worker = worker;
  }

  static async create({ wasm = WASM, worker } = {}) {
    const made = new ChartProof(await compiled(wasm), worker ?? (typeof Worker === 'function' ? WORKER : false));
    await made.#start();
    return made;
  }

  /** `worker` or `thread`: where the core runs. */
  get engine() {
    return this.#core?.engine;
  }

  async load(files, onProgress, { signal } = {}) {
    const reading = Promise.all(Array.from(files, fileOf));
    this.#reading = reading.catch(() => {});
    const load = await reading;
    this.#digests = [];
    const transfer = load.map(({ bytes }) => bytes);
    const { summary } = await this.#ask({ load }, { onProgress, signal, transfer, expected: 'loaded' });
    return summary;
  }

  async verify({ ask = null, query = null, patient = null, acceptUnresolved = false }, { onProgress, signal } = {}) {
    const command = { do: 'verify', patient, ask, request: query, accept_unresolved: acceptUnresolved };
    const { verified } = await this.#ask({ command }, { onProgress, signal, expected: 'verified' });
    for (const answer of verified.answers ?? []) this.#digests.push(answer.bundle_digest);
    return verified;
  }

  async parse(ask) {
    const { parsed, statements, not_executable } = await this.#ask({ command: { do: 'parse', ask } }, { expected: 'parsed' });
    return { ...parsed, statements, not_executable };
  }

  async timeline(patient) {
    const { rows, truncated } = await this.#ask({ command: { do: 'timeline', patient } }, { expected: 'timeline' });
    return { rows, truncated };
  }

  async source(citation) {
    const { view } = await this.#ask({ command: { do: 'source', citation } }, { expected: 'source' });
    return view;
  }

  async export(kind, { digest = this.#digests.at(-1) } = {}) {
    if (kind !== 'bundle') throw new ChartProofError('bad_command', 'only a bundle can be exported');
    if (!digest) throw new ChartProofError('no_answer', 'nothing was verified yet');
    const { json } = await this.#ask({ command: { do: 'bundle', digest } }, { expected: 'bundle' });
    return json;
  }

  /** Drops the record; this can be used on. */
  async forget() {
    this.#digests = [];
    await this.#ask({ command: { do: 'forget' } }, { expected: 'forgotten' });
  }

  /** Drops everything; what is under way is rejected. */
  dispose() {
    this.#disposed = true;
    this.#core?.end();
    this.#core = undefined;
    this.#rejectAll(new ChartProofError('disposed', 'this ChartProof was disposed'));
  }

  async #ask({ load, command }, { onProgress, signal, transfer, expected }) {
    signal?.throwIfAborted();
    // What is asked while files are still read is asked of their record.
    if (!load) await this.#reading;
    if (this.#disposed) throw new ChartProofError('disposed', 'this ChartProof was disposed');
    await this.#start();
    const id = (this.#last += 1);
    const core = this.#core;
    return new Promise((done, refuse) => {
      const cancel = () => {
        core.postMessage({ cancel: id });
        // A core that works on after it was told to stop is given up.
        setTimeout(() => this.#open.has(id) && this.#lose(core, 'it did not answer'), CANCEL_PATIENCE);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#open.set(id, {
        onProgress,
        settle: (event) => {
          signal?.removeEventListener('abort', cancel);
          if (event instanceof Error) refuse(event);
          else if (event.event === expected) done(event);
          else if (event.event === 'cancelled') refuse(signal?.reason ?? new ChartProofError('cancelled', ''));
          else refuse(new ChartProofError(event.code ?? 'bad_event', event.message ?? `no ${expected}`));
        },
      });
      core.postMessage(load ? { id, load } : { id, command: JSON.stringify(command) }, transfer ?? []);
    });
  }

  /** Starts a core unless one is there; after a fault the next request does. */
  #start() {
    if (this.#core) return undefined;
    this.#starting ??= started(this.#module, this.#worker)
      .then((core) => {
        if (this.#disposed) return core.end();
        this.#core = core;
        core.onmessage = ({ data }) => this.#receive(core, data);
        core.onerror = () => this.#lose(core, 'its worker ended');
      })
      .finally(() => {
        this.#starting = undefined;
      });
    return this.#starting;
  }

  #receive(core, { id, event, broken }) {
    if (broken !== undefined) return this.#lose(core, broken);
    const request = this.#open.get(id);
    if (!request) return undefined;
    const said = JSON.parse(event);
    if (said.event === 'progress') return request.onProgress?.(said.progress);
    this.#open.delete(id);
    return request.settle(said);
  }

  #lose(core, reason) {
    if (core !== this.#core) return;
    core.end();
    this.#core = undefined;
    this.#digests = [];
    this.#rejectAll(new ChartProofError('trap', `the core stopped and its record is gone: ${reason}`));
  }

  #rejectAll(error) {
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const request of open) request.settle(error);
  }
}

async function compiled(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (typeof wasm !== 'string' && !(wasm instanceof URL)) return WebAssembly.compile(wasm);
  const url = String(wasm);
  if (url.startsWith('file:') && globalThis.process?.versions?.node) {
    const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ 'node:fs/promises');
    return WebAssembly.compile(await readFile(new URL(url)));
  }
  const response = await fetch(url);
  if (!response.ok) throw new ChartProofError('part_missing', `the core's module: HTTP ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function fileOf(file) {
  const { name } = file;
  if (typeof name !== 'string') throw new TypeError('a file needs a name');
  if (typeof Blob === 'function' && file instanceof Blob) return { name, bytes: await file.arrayBuffer() };
  const { bytes } = file;
  if (typeof bytes === 'string') return { name, bytes: new TextEncoder().encode(bytes).buffer };
  // The caller keeps its bytes: what goes to the core is a copy, and is handed over.
  if (bytes instanceof ArrayBuffer) return { name, bytes: bytes.slice(0) };
  if (ArrayBuffer.isView(bytes)) {
    return { name, bytes: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) };
  }
  throw new TypeError('a file is a File, or has bytes');
}

async function started(module, worker) {
  if (worker) {
    try {
      return await ready(workerCore(String(worker)), module, WORKER_PATIENCE);
    } catch {
      // Another origin, a sandbox or a policy: no worker may start.
    }
  }
  return ready(await threadCore(), module, 0);
}

function workerCore(url) {
  const core = new Worker(trusted(url), { name: 'chartproof' });
  core.engine = 'worker';
  core.end = () => core.terminate();
  return core;
}

async function threadCore() {
  const { freshGlue, serveCore } = await import('./engine.js');
  // Two ends that call each other later, never at once; nothing is copied.
  const here = { postMessage: (data) => queueMicrotask(() => there.onmessage?.({ data })) };
  const there = { postMessage: (data) => queueMicrotask(() => here.onmessage?.({ data })) };
  serveCore(there, freshGlue());
  here.engine = 'thread';
  here.end = () => there.onmessage({ data: { close: true } });
  return here;
}

function ready(core, module, patience) {
  return new Promise((done, refuse) => {
    const stop = (reason) => {
      clearTimeout(timer);
      core.end();
      refuse(new ChartProofError('start', reason));
    };
    const timer = patience && setTimeout(() => stop('the core did not answer'), patience);
    core.onerror = (event) => {
      event.preventDefault?.();
      stop('the worker did not start');
    };
    core.onmessage = ({ data }) => {
      if (data.broken !== undefined) return stop(data.broken);
      clearTimeout(timer);
      return done(core);
    };
    core.postMessage({ module });
  });
}

/** One Trusted Types policy a document, shared with the page; it lets named workers through and nothing else. */
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
