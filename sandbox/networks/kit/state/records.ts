import type { SandboxFiles } from '../../../files.js';
import type { Journal, JournalRecord, Persistent } from '../../../ledger/journal.js';

export interface RecordOptions {
  /** The oldest are dropped above this. */
  readonly capacity?: number;
  /** Called with the id of each restored record, for counters of ids. */
  readonly passed?: (id: string) => void;
}

/**
 * Records of one kind by id, oldest first. Each change is a line of the journal: `{kind, [member]: record}`, where the member is the
 * last part of the kind (`x.post` has `post`), or `{kind: `${kind}.${removal}`, id}`.
 */
export class Records<R extends { readonly id: string }> implements Persistent {
  private readonly byId = new Map<string, R>();
  private readonly member: string;

  constructor(
    private readonly journal: Pick<Journal, 'append'>,
    private readonly kind: string,
    private readonly options: RecordOptions = {},
    private readonly removal = 'deleted',
  ) {
    this.member = kind.slice(kind.lastIndexOf('.') + 1);
  }

  get all(): Iterable<R> {
    return this.byId.values();
  }

  get size(): number {
    return this.byId.size;
  }

  find(id: string): R | undefined {
    return this.byId.get(id);
  }

  /** Stores a new record or the changed one. @param also lines that belong to the same change, such as its effect */
  keep(record: R, ...also: readonly JournalRecord[]): R {
    this.place(record);
    this.journal.append(this.line(record), ...also);
    return record;
  }

  remove(record: R, ...also: readonly JournalRecord[]): void {
    this.drop(record);
    this.journal.append({ kind: `${this.kind}.${this.removal}`, id: record.id }, ...also);
  }

  clear(): void {
    this.byId.clear();
  }

  restore(record: JournalRecord): void {
    if (record.kind === this.kind) {
      const restored = record[this.member] as R;
      this.options.passed?.(restored.id);
      this.place(restored);
    } else if (record.kind === `${this.kind}.${this.removal}`) {
      const known = this.byId.get(String(record.id));
      if (known) this.drop(known);
    }
  }

  *snapshot(): Generator<JournalRecord> {
    for (const record of this.byId.values()) yield this.line(record);
  }

  /** For indexes of subclasses. */
  protected placed(_record: R, _replaced: R | undefined): void {
    // Without indexes, nothing follows.
  }

  protected dropped(_record: R): void {
    // Without indexes, nothing follows.
  }

  private place(record: R): void {
    const replaced = this.byId.get(record.id);
    this.byId.set(record.id, record);
    this.placed(record, replaced);
    if (this.byId.size <= (this.options.capacity ?? Infinity)) return;
    const [oldest] = this.byId.values();
    if (oldest) this.drop(oldest);
  }

  private drop(record: R): void {
    this.byId.delete(record.id);
    this.dropped(record);
  }

  private line(record: R): JournalRecord {
    return { kind: this.kind, [this.member]: record };
  }
}

const MAX_UPLOADS = 2_000;

export interface UploadRules<U> extends RecordOptions {
  /** Files that hold its bytes; removed with it. */
  filesOf(upload: U): readonly string[];
}

/** Uploads and containers of a network, oldest first. Above 2 000 the oldest are dropped with their bytes. */
export class Uploads<U extends { readonly id: string }> extends Records<U> {
  private readonly running = new Map<string, Promise<unknown>>();
  /** @param kind of the journal, such as `x.upload` */
  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly files: SandboxFiles,
    kind: string,
    private readonly rules: UploadRules<U>,
  ) {
    super(journal, kind, { capacity: MAX_UPLOADS, ...rules });
  }

  change(id: string, changes: Partial<Omit<U, 'id'>>): U {
    const upload = this.find(id);
    if (!upload) throw new Error(`The sandbox has dropped the upload ${id}.`);
    return this.keep({ ...upload, ...changes });
  }

  /** Of two calls for one upload, the second begins after the first. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.running.get(id);
    const own = Promise.resolve(before).then(work, work);
    this.running.set(id, own);
    try {
      return await own;
    } finally {
      if (this.running.get(id) === own) this.running.delete(id);
    }
  }

  override clear(): void {
    super.clear();
    this.files.clear();
  }

  protected override dropped(upload: U): void {
    this.files.remove(...this.rules.filesOf(upload));
  }
}
