/**
 * Check a statement against one patient record. Everything runs in this process or page; nothing is sent anywhere.
 *
 * Offsets (`start`, `end`, `highlight`) count Unicode code points, not UTF-16 units: `Array.from(text).slice(start, end)`.
 */
export class ChartProof {
  /**
   * Starts a core: in a worker where one may start, else on this thread in slices of some 10 ms.
   *
   * In a page the worker script must come from the page's own origin. Only where its response carries
   * `Content-Security-Policy: connect-src 'none'` can the realm that holds the record send nothing at all.
   */
  static create(options?: CreateOptions): Promise<ChartProof>;

  /** Where the core runs. */
  readonly engine: 'worker' | 'thread' | undefined;

  /**
   * Opens files; what was open is dropped first. Files that cannot be read are listed in `refused`; when none can be, the
   * promise is rejected with code `nothing_read`.
   */
  load(
    files: Iterable<File | NamedBytes>,
    onProgress?: (progress: Progress) => void,
    options?: { signal?: AbortSignal },
  ): Promise<Summary>;

  /** Checks a question in words, or a query. */
  verify(
    what: {
      ask?: string | null;
      query?: Request | null;
      /** Source key; may be left out when the load holds one patient. */
      patient?: string | null;
      /** Run in spite of parts that were not understood and could change the answer. */
      acceptUnresolved?: boolean;
    },
    options?: { onProgress?: (progress: Progress) => void; signal?: AbortSignal },
  ): Promise<Verified>;

  /** Reads a question without checking it. */
  parse(ask: string): Promise<Parsed & { statements: string[]; not_executable: NotExecutable[] }>;

  /** Encounters, events and notes of a patient in time order. */
  timeline(patient: string): Promise<{ rows: TimelineRow[]; truncated: Truncated | null }>;

  /** The source behind a citation, with the range to highlight. */
  source(citation: Citation): Promise<SourceView>;

  /** The evidence bundle of an answer (the last one, unless its digest is given) as canonical JSON; it can be replayed. */
  export(kind: 'bundle', options?: { digest?: string }): Promise<string>;

  /** Drops the record and all that was made of it. */
  forget(): Promise<void>;

  /** Drops everything for good. */
  dispose(): void;
}

export interface CreateOptions {
  /** The core: its address, its bytes or the compiled module. By default the file of this package. */
  wasm?: string | URL | BufferSource | WebAssembly.Module;
  /** Address of `chartproof/worker.js`; false for no worker. By default the file of this package, and none in node. */
  worker?: string | URL | false;
}

export interface NamedBytes {
  name: string;
  bytes: ArrayBuffer | ArrayBufferView | string;
}

/**
 * `code` is one of `bad_command`, `no_record`, `unknown_patient`, `choose_patient`, `no_files`, `nothing_read`, `trap` (the
 * record is gone, the next load starts anew), `cancelled`, `no_answer`, `part_missing`, `start`, `disposed`.
 * An aborted request is rejected with the reason of its signal.
 */
export class ChartProofError extends Error {
  readonly code: string;
}

export interface Progress {
  stage: 'read' | 'index' | 'search' | 'assess';
  done: number;
  total: number;
}

// ---- A load

export interface Summary {
  patients: PatientSummary[];
  diagnostics: Diagnostic[];
  refused: RefusedFile[];
  /** Name and SHA-256. */
  files: [string, string][];
  /** Of the content, whatever the names and the order of the files. */
  digest: string;
}

export interface PatientSummary {
  /** Source key, such as `Patient/7`. */
  id: string;
  encounters: number;
  /** Outermost stays. */
  stays: number;
  notes: number;
  events: Record<string, number>;
  first: string | null;
  last: string | null;
  edges: Record<string, number>;
  /** Questions made from the record's own events. */
  examples: string[];
}

export interface Diagnostic {
  severity: 'info' | 'warning' | 'error';
  code: string;
  source: string;
  location: string;
  message: string;
}

export interface RefusedFile {
  file: string;
  code: string;
  location: string;
  message: string;
}

export interface TimelineRow {
  id: string;
  lane: string;
  label: string;
  value: string | null;
  standing: 'affirmed' | 'negative' | 'uncertain' | 'void';
  time: string | null;
  /** Wall-clock milliseconds. */
  bounds: [number, number] | null;
  stay: string | null;
}

export interface Truncated {
  what: string;
  limit: number;
  seen: number;
}

// ---- A question

export interface Request {
  version: number;
  queries: Query[];
  join?: 'all' | 'alternatives';
}

export interface Query {
  want?: 'verify' | 'find';
  slots: Slot[];
  relations?: Relation[];
  scope: { level: 'encounter' | 'episode' | 'patient'; ref?: string; assumed?: boolean };
  quantifier?: { type: 'some' | 'first' | 'last' | 'every' | 'none' } | { type: 'at_least'; n: number };
}

export interface Slot {
  id: string;
  concept?: { any_of: Term[]; except?: Term[] };
  kind?:
    | 'any' | 'condition' | 'finding' | 'order' | 'given' | 'exposure' | 'lab' | 'vital' | 'culture' | 'procedure'
    | 'device' | 'allergy' | 'adverse_event' | 'encounter' | 'note';
  basis?: 'occurred' | 'documented';
  edge?:
    | 'start' | 'end' | 'first' | 'last' | 'onset' | 'resolved' | 'peak' | 'low' | 'dose_up' | 'dose_down' | 'hold'
    | 'restart' | 'admission' | 'discharge';
  selector?:
    | { type: 'some' | 'first' | 'last' }
    | { type: 'nth'; n: number }
    | { type: 'occurrence'; id: string }
    | { type: 'at'; time: string };
  value?: ValueCondition;
  qualifiers?: { route?: string; dose?: string; site?: string; location?: string; not_location?: string };
  source?: {
    author_roles?: string[];
    except_author_roles?: string[];
    note_types?: string[];
    except_note_types?: string[];
    sections?: string[];
    certainty?: string;
  };
  distinct_from?: string;
  same_as?: string;
  count?: { type: 'some' | 'none' } | { type: 'at_least'; n: number };
}

export interface Term {
  text: string;
  class?: boolean;
  codes?: { system: string; code: string }[];
}

export type Op = '<' | '<=' | '=' | '>=' | '>';

export type ValueCondition =
  | { type: 'compare'; op: Op; number: string; unit?: string }
  | { type: 'coded'; text: string }
  | { type: 'flag'; high: boolean }
  | { type: 'duration'; op: Op; amount: Span }
  | {
      type: 'change';
      direction: 'up' | 'down' | 'flat';
      amount?: string;
      measure?: 'absolute' | 'ratio' | 'percent' | 'trend';
      unit?: string;
      reference?: string;
      within?: Span;
    };

export interface Span {
  /** Decimal text. */
  amount: string;
  unit: 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';
}

export interface Relation {
  kind:
    | 'before' | 'after' | 'overlaps' | 'during' | 'same_encounter' | 'documented' | 'adverse_event_of'
    | 'attributed_to' | 'reason_for' | 'rises' | 'falls' | 'unchanged' | 'persists' | 'recurs' | 'resolves';
  subject: string;
  object?: string;
  window?: { from?: Span; to?: Span; counting?: 'elapsed' | 'calendar' | 'hospital' };
}

export interface Parsed {
  /** Null when the parser refuses. */
  query: Request | null;
  unresolved: Unresolved[];
  assumptions: { field: string; text: string }[];
  refusal: string | null;
  parser: string;
}

export interface Unresolved {
  text: string;
  start: number;
  end: number;
  /** It could change the answer: nothing runs unless that is accepted. */
  blocking: boolean;
  why: string;
}

export interface NotExecutable {
  field: string;
  why: string;
}

// ---- An answer

export type Verified =
  | { outcome: 'answered'; answers: Answer[]; unresolved: Unresolved[] }
  | { outcome: 'blocked'; parsed: Parsed }
  | { outcome: 'refused'; parsed: Parsed }
  | { outcome: 'not_executable'; faults: NotExecutable[]; request: Request };

export type Verdict = 'supported' | 'conflicting' | 'refuted' | 'insufficient';
export type Polarity = 'supports' | 'refutes' | 'neutral';
export type TimeVerdict = 'compatible' | 'incompatible' | 'unknown' | 'not_applicable';
export type ScopeStatus = 'valid' | 'unknown' | 'invalid';
export type Stated = 'yes' | 'no' | 'not_stated' | 'not_assessable';
export type Failure =
  | 'missing_event' | 'missing_relation_evidence' | 'missing_time' | 'missing_provenance' | 'scope_unknown'
  | 'only_other_scope' | 'only_other_patient' | 'temporal_only' | 'uncertain_only' | 'lower_rung_only'
  | 'incomplete_record' | 'budget';

/** Two independent strengths from 0 to 1; not probabilities. */
export interface Axes {
  support: number;
  refute: number;
}

/** Null where a part does not apply. */
export interface Components {
  tim: number | null;
  num: number | null;
  jdg_support: number;
  jdg_refute: number;
}

export interface Answer {
  query: Query;
  /** The query in one sentence. */
  statement: string;
  patient: string;
  verdict: Verdict;
  axes: Axes;
  thresholds: Axes;
  /** The deciding one first. */
  tuples: TupleAssessment[];
  documented: Stated;
  occurred: Stated;
  events: EventLine[];
  components: Components;
  v_tim: TimeVerdict;
  found: FoundLine[];
  evidence: EvidenceLine[];
  excluded: ExcludedLine[];
  chain: ChainEvent[];
  obligations: { what: string; state: string }[];
  failure: Failure | null;
  failure_text: string | null;
  settle: string[];
  truncated: Truncated | null;
  bundle_digest: string;
  assessor: string;
  /** How it was searched: not evidence. */
  trace: Trace;
}

export interface TupleAssessment extends Assessed {
  /** By slot. */
  occurrences: string[][];
  encounter: string | null;
  scope: ScopeStatus;
  transitions: Transition[];
}

export interface Transition extends Assessed {
  /** Index into the query's relations. */
  relation: number;
}

export interface Assessed {
  verdict: Verdict;
  axes: Axes;
  components: Components;
  v_tim: TimeVerdict;
  reasons: Reason[];
  failure: Failure | null;
}

export interface Reason {
  code: string;
  text: string;
  polarity: Polarity;
  /** Ids of evidence. */
  items: string[];
  trigger?: string;
}

export interface EventLine {
  slot: string;
  label: string;
  documented: Stated;
  documented_text: string;
  documented_items: string[];
  occurred: Stated;
  occurred_text: string;
  occurred_items: string[];
}

export interface FoundLine {
  slot: string;
  label: string;
  matched: number;
  admitted: number;
  text: string;
}

export interface EvidenceLine {
  id: string;
  polarity: Polarity;
  scope: ScopeStatus;
  slots: string[];
  occurrences: string[];
  text: string;
  context: string;
  /** Role and time. */
  times: [string, string][];
  origin: string | null;
  copies: number;
  /** Never empty. */
  citations: Citation[];
}

export interface ExcludedLine {
  reason: 'other_patient' | 'other_encounter' | 'void' | 'no_source' | 'unbound';
  detail: string;
  id: string;
  text: string;
  occurrences: string[];
  times: [string, string][];
  citations: Citation[];
}

export interface ChainEvent {
  slot: string;
  label: string;
  value: string | null;
  time: string | null;
  bounds: [number, number] | null;
  time_role: string | null;
  items: string[];
}

export interface Trace {
  depths: {
    depth: number;
    steps: string[];
    /** Side, words, contexts found. */
    retrievals: [string, string, number][];
    /** Priority, occurrence ids. */
    paths: [number, string[]][];
    failure: string | null;
    replan: string | null;
  }[];
  policy: [string, string][];
  /** Contexts and occurrences. */
  indexed: [number, number];
}

/** `quote` is the slice from `start` to `end` of the value that the steps `decode` make of the raw value at `pointer`. */
export interface Citation {
  source: string;
  pointer: string;
  start: number;
  end: number;
  quote: string;
  decode: ('gzip' | 'utf8' | 'json-string' | 'json-literal' | 'base64' | 'utf8-text' | 'latin1-text')[];
  /** Where the bytes are. */
  locator: {
    file: string;
    sha256: string;
    place: 'whole' | 'contained' | { entry: number } | { line: number };
    /** Of the raw value, in the unwrapped file. */
    byte_start: number;
    byte_end: number;
  };
}

export interface SourceView {
  key: string;
  file: string;
  place: string;
  text: string;
  highlight: [number, number];
  kind: 'note' | 'json';
  chain: string[];
  /** False: the citation does not re-read, and nothing may be highlighted. */
  verified: boolean;
}
