import type { RangedSource } from '../domain/ranged-source.js';

/** An object of the store that a process reads by address, without credentials; or a file of this machine. */
export interface SourceAddress {
  /** Presigned GET; valid for the whole task. `file:` for a file of this machine, which does not change meanwhile. */
  readonly url: string;
  /** Every read has it as `If-Match`, so that the bytes are those that were stored at completion. null: not known. */
  readonly etag: string | null;
  readonly bytes: number;
}

export interface ReadBudget {
  readonly bytes: number;
  /** Number of reads: a forged index can ask for millions of small ones. */
  readonly reads: number;
}

export interface Source extends RangedSource {
  /** The same as chunks, for large ranges. */
  stream(start: number, end: number): AsyncIterable<Uint8Array>;
}

export class ReadBudgetIsExceeded extends Error {
  constructor() {
    super('The file makes the reader read more than its budget. Check for a forged index.');
  }
}

/** The response says that the object does not exist any more, or has other bytes than before. Only isObjectGone() makes it certain. */
export class SourceIsGone extends Error {
  constructor() {
    super('The stored object is gone or has changed.');
  }
}

/** The store does not answer. The task can be repeated. */
export class SourceIsUnavailable extends Error {
  constructor(cause: unknown) {
    super('The object store did not answer. Repeat the task later.', { cause });
  }
}
