// The worker that holds the record. Its own response forbids it every request; the page hands it the compiled core.
import * as glue from './chartproof-wasm.js';
import { serveCore } from './serve-core.js';

serveCore(self, glue);
