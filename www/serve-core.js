// Serves one core over one port: in a worker, on the page's thread, or in node.
//
// The builder puts this text into classic scripts too, with `export` taken off; so it imports nothing.
//
//   in    {module}                          the compiled core, first of all
//         {id, load: [{name, bytes}]}       opens files; `bytes` is an ArrayBuffer and is best transferred
//         {id, command: "<JSON>"}           a command of the engine
//         {cancel: id}                      gives up what runs or waits under that number
//         {close: true}                     drops the record and serves no more
//         {id, trap: true}                  ends this core the way a fault would (tests of the recovery)
//   out   {ready: version}                  the core takes messages
//         {id, event: "<JSON>"}             progress, then exactly one event that ends the request
//         {broken: reason}                  the core is gone for good: end this realm and start another

/** Runs the engine for at most about this long before messages get in, in milliseconds. */
const SLICE = 10;
/** Least time between two progress messages, in milliseconds. */
const PROGRESS_EVERY = 100;
/** The engine's unit of work is some thousand small steps; one call takes this many to begin with, and never more. */
const BUDGET = 8;
const MOST_BUDGET = 512;

const PROGRESS = '{"event":"progress"';
const CANCELLED = '{"event":"cancelled"}';
const FORGET = '{"do":"forget"}';

/**
 * @param port has `postMessage` and calls `onmessage`: a worker's global scope, or the far end of a channel
 * @param glue wasm-bindgen's glue: a module's namespace, or the function of a classic script
 */
export function serveCore(port, glue) {
  const init = glue.default ?? glue;
  const queue = [];
  let core;
  let running; // the request at work: {id, cancelled}
  let broken;
  let budget = BUDGET;

  const post = (id, event) => port.postMessage({ id, event });
  const failed = (code, message) => JSON.stringify({ event: 'failed', code, message });

  /** Lets messages in: by a message of our own, which is soonest in a browser, or as node does it. */
  const waiting = [];
  const channel = typeof setImmediate === 'function' ? null : new MessageChannel();
  if (channel) channel.port1.onmessage = () => waiting.shift()?.();
  const breathe = () =>
    new Promise((done) => {
      if (!channel) return void setImmediate(done);
      waiting.push(done);
      channel.port2.postMessage(0);
    });

  function breakDown(error) {
    broken = reasonOf(error);
    const lost = [running, ...queue.splice(0)].filter(Boolean);
    for (const { id } of lost) post(id, failed('trap', broken));
    running = undefined;
    port.postMessage({ broken });
  }

  /** Steps until the event that ends the request, and returns it. */
  async function run(request) {
    let said = -Infinity;
    for (;;) {
      const end = performance.now() + SLICE;
      let event;
      for (let now = performance.now(); now < end; ) {
        event = core.step(budget);
        const took = performance.now() - now;
        if (took > SLICE) budget = Math.max(1, Math.floor((budget * SLICE) / (2 * took)));
        else if (took < SLICE / 4) budget = Math.min(MOST_BUDGET, budget * 2);
        if (!event?.startsWith(PROGRESS)) return event ?? failed('bad_command', 'nothing was started');
        now += took;
      }
      if (end - said >= PROGRESS_EVERY) {
        said = end;
        post(request.id, event);
      }
      await breathe();
      if (request.cancelled) core.cancel();
      if (broken !== undefined) return CANCELLED;
    }
  }

  async function answer(request) {
    if (request.trap) return glue.Core.__trap();
    if (!request.load) {
      const refused = core.submit(String(request.command));
      return refused ?? run(request);
    }
    // The former record goes first: there is room for one.
    core.submit(FORGET);
    await run(request);
    for (const { name, bytes } of request.load.splice(0)) {
      const sha256 = await digest(bytes);
      await breathe();
      if (request.cancelled) {
        core.dropFiles();
        return CANCELLED;
      }
      core.addFile(String(name), new Uint8Array(bytes), sha256);
    }
    core.load();
    const event = await run(request);
    if (!request.cancelled) return event;
    // It may have been done before the cancelling got in; a cancelled load leaves no record all the same.
    core.submit(FORGET);
    core.step(1);
    return CANCELLED;
  }

  async function work() {
    if (running || !core || broken !== undefined) return;
    while ((running = queue.shift())) {
      try {
        const event = await answer(running);
        if (broken !== undefined) return core.free();
        post(running.id, event);
      } catch (error) {
        return breakDown(error);
      }
    }
  }

  function close() {
    broken = 'closed';
    queue.length = 0;
    channel?.port1.close();
    for (const done of waiting.splice(0)) done();
    if (!running) core?.free();
  }

  function cancel(id) {
    if (running?.id === id) running.cancelled = true;
    const at = queue.findIndex((request) => request.id === id);
    if (at >= 0) {
      queue.splice(at, 1);
      post(id, CANCELLED);
    }
  }

  port.onmessage = ({ data }) => {
    if (data?.module) {
      init({ module_or_path: data.module }).then(
        () => {
          core = new glue.Core();
          port.postMessage({ ready: glue.Core.version() });
          return work();
        },
        breakDown,
      );
    } else if (data?.close) {
      close();
    } else if (data?.cancel !== undefined) {
      cancel(data.cancel);
    } else if (data?.id !== undefined) {
      if (broken !== undefined) return post(data.id, failed('trap', broken));
      queue.push(data);
      work();
    }
  };
}

/** SHA-256 in hexadecimal, or nothing where the browser keeps it from insecure pages; the core then computes it. */
async function digest(bytes) {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return undefined;
  const hash = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What may be said of a fault: the core's own words name a place, those of others could quote anything. */
function reasonOf(error) {
  const said = String(error?.message ?? '');
  if (said.startsWith('stopped at ')) return said;
  if (error instanceof RangeError) return 'out of memory';
  if (globalThis.WebAssembly && error instanceof WebAssembly.CompileError) return 'WebAssembly may not be compiled here';
  return error?.name || 'unknown fault';
}
