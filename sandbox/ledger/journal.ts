import {
  closeSync,
  createReadStream,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  writeSync,
} from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface JournalRecord {
  readonly kind: string;
  readonly [member: string]: unknown;
}

/** A part of the sandbox that is restored after a restart. */
export interface Persistent {
  /** Applies known records and ignores others. */
  restore(record: JournalRecord): void;
  /** The minimal records that restore it. */
  snapshot(): Iterable<JournalRecord>;
}

const FLUSH_AFTER_MS = 20;

/**
 * Stores changes as JSON lines. Unless it is durable, it buffers lines for 20 ms, which a killed process loses. A durable
 * journal passes every change to the operating system before `append` returns, so that it survives the process but not the
 * machine.
 */
export class Journal {
  private file?: number;
  private parts: readonly Persistent[] = [];
  private pending: string[] = [];
  private timer?: NodeJS.Timeout;

  constructor(
    /** Without a folder, nothing is written. */
    private readonly directory: string | undefined,
    private readonly durable: boolean,
  ) {}

  /** Restores the parts and opens the journal for appending. */
  async open(parts: readonly Persistent[]): Promise<void> {
    this.parts = parts;
    if (this.directory === undefined) return;
    mkdirSync(this.directory, { recursive: true });
    const path = join(this.directory, 'sandbox.jsonl');
    if (existsSync(path)) await restoreAndCompact(path, parts);
    this.file = openSync(path, 'a', 0o600);
  }

  append(...records: readonly JournalRecord[]): void {
    if (this.file === undefined) return;
    const lines = records.map(asLine).join('');
    if (this.durable) return void writeSync(this.file, lines);
    this.pending.push(lines);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_AFTER_MS);
  }

  /** Replaces the journal with a snapshot of the parts. */
  startOver(): void {
    if (this.file === undefined) return;
    this.pending = [];
    ftruncateSync(this.file);
    for (const line of snapshotLines(this.parts)) writeSync(this.file, line);
  }

  close(): void {
    if (this.file === undefined) return;
    this.flush();
    closeSync(this.file);
    this.file = undefined;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const lines = this.pending.join('');
    this.pending = [];
    try {
      if (this.file !== undefined && lines !== '') writeSync(this.file, lines);
    } catch (error) {
      process.emitWarning(`The sandbox could not write its journal: ${String(error)}`);
    }
  }
}

/**
 * A line begins with its line feed, so that a truncated line is never joined with the next. JSON escapes
 * line feeds, but not the two separators at which readers of lines split as well.
 */
function asLine(record: JournalRecord): string {
  return `\n${JSON.stringify(record).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}`;
}

/** Restores the parts, and rewrites the file when half of it is outdated. */
async function restoreAndCompact(path: string, parts: readonly Persistent[]): Promise<void> {
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    lines += 1;
    const record = parseLine(line);
    if (record) for (const part of parts) part.restore(record);
  }
  const live = parts.reduce(
    (sum, part) => sum + Iterator.from(part.snapshot()).reduce((count) => count + 1, 0),
    0,
  );
  if (lines <= 2 * live) return;
  await writeFile(`${path}.new`, snapshotLines(parts), { mode: 0o600 });
  await rename(`${path}.new`, path);
}

function* snapshotLines(parts: readonly Persistent[]): Generator<string> {
  for (const part of parts) for (const record of part.snapshot()) yield asLine(record);
}

/** Undefined for a truncated line, which was never acknowledged. */
function parseLine(line: string): JournalRecord | undefined {
  try {
    const record = JSON.parse(line) as JournalRecord;
    return typeof record === 'object' && typeof record?.kind === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}
