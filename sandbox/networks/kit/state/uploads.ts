import type { SandboxFiles } from '../../../files.js';
import type { Journal } from '../../../ledger/journal.js';
import { type RecordOptions, Records } from './records.js';

const MAX_UPLOADS = 2_000;

export interface UploadRules<U> extends RecordOptions {
  /** Files that hold its bytes; removed with it. */
  readonly filesOf: (upload: U) => readonly string[];
}

/** Uploads and containers of a network, oldest first. Above 2 000 the oldest are dropped with their bytes. */
export class Uploads<U extends { readonly id: string }> extends Records<U> {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly filesOf: (upload: U) => readonly string[];

  /** @param kind of the journal, such as `x.upload` */
  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly files: SandboxFiles,
    kind: string,
    { filesOf, ...options }: UploadRules<U>,
  ) {
    super(journal, kind, { capacity: MAX_UPLOADS, ...options });
    this.filesOf = filesOf;
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
    this.files.remove(...this.filesOf(upload));
  }
}
