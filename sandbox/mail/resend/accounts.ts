import type { Journal, JournalRecord, Persistent } from '../../ledger/journal.js';
import { ResendAccount } from './resend.js';

/** Its key is configured; it is the only one that sends events. */
export const FIRST_ACCOUNT = 'resend';

/** The accounts at Resend by their names. Each has one key, emails, domains and idempotency keys of its own. */
export class ResendAccounts implements Persistent {
  private readonly accounts = new Map<string, ResendAccount>();
  private readonly keys = new Map<string, string>();

  constructor(
    private readonly now: () => Date,
    private readonly journal: Pick<Journal, 'append'>,
    private readonly firstKey: string,
  ) {
    this.keep(FIRST_ACCOUNT, firstKey);
  }

  byKey(key: string | null): ResendAccount | undefined {
    return key === null ? undefined : this.accounts.get(this.keys.get(key) ?? '');
  }

  get first(): ResendAccount {
    return this.keep(FIRST_ACCOUNT);
  }

  /** Opens an account, or replaces the key of one. */
  give(name: string, key: string): void {
    this.keep(name, key);
    this.journal.append({ kind: 'resend.account', account: name, accountKey: key });
  }

  clear(): void {
    this.accounts.clear();
    this.keys.clear();
    this.keep(FIRST_ACCOUNT, this.firstKey);
  }

  restore(record: JournalRecord): void {
    const { kind, account = FIRST_ACCOUNT, accountKey } = record;
    if (!kind.startsWith('resend.')) return;
    this.keep(account as string, accountKey as string | undefined).restore(record);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const [key, account] of this.keys)
      if (key !== this.firstKey) yield { kind: 'resend.account', account, accountKey: key };
    for (const account of this.accounts.values()) yield* account.snapshot();
  }

  private keep(name: string, key?: string): ResendAccount {
    const account = this.accounts.get(name) ?? new ResendAccount(name, this.now, this.journal);
    this.accounts.set(name, account);
    if (key !== undefined) {
      for (const [former, owner] of this.keys) if (owner === name) this.keys.delete(former);
      this.keys.set(key, name);
    }
    return account;
  }
}
