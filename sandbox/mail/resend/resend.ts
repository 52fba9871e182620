import { hash, randomUUID } from 'node:crypto';
import type { Journal, JournalRecord, Persistent } from '../../ledger/journal.js';

export interface ResendEmail {
  readonly id: string;
  readonly createdAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  lastEvent: string;
}

export interface ResendDomain {
  readonly id: string;
  readonly name: string;
  status: 'not_started' | 'pending' | 'verified' | 'failed';
  readonly createdAt: string;
}

interface Kept {
  readonly fingerprint: string;
  readonly emailId: string;
  readonly until: number;
}

/** Idempotency keys expire after 24 hours (resend.com/docs, "Idempotency Keys"). */
const KEY_HOURS = 24;
/** Names of hosts ending in .invalid exist nowhere; everything else has to be added. */
const VERIFIED = ['resend.dev', 'platform.invalid'];

/** An account: its emails, domains and idempotency keys. */
export class ResendAccount implements Persistent {
  private readonly emails = new Map<string, ResendEmail>();
  private readonly keys = new Map<string, Kept>();
  readonly domains = new Map<string, ResendDomain>();

  constructor(
    readonly name: string,
    private readonly now: () => Date,
    private readonly journal: Pick<Journal, 'append'>,
  ) {
    this.seed();
  }

  email(id: string): ResendEmail | undefined {
    return this.emails.get(id);
  }

  /** @returns the id of the first email, or `different` when the body is not the first one's */
  repeated(key: string, body: string): { readonly id: string } | 'different' | null {
    const kept = this.keys.get(key);
    if (!kept || kept.until <= this.now().getTime()) return null;
    return kept.fingerprint === hash('sha256', body) ? { id: kept.emailId } : 'different';
  }

  /** @returns the lines for the journal */
  add(email: ResendEmail, key: string | undefined, body: string): JournalRecord[] {
    this.emails.set(email.id, email);
    const lines = [this.line({ kind: 'resend.email', email })];
    if (key === undefined) return lines;
    const until = this.now().getTime() + KEY_HOURS * 3_600_000;
    const kept = { fingerprint: hash('sha256', body), emailId: email.id, until };
    this.keys.set(key, kept);
    return [...lines, this.line({ kind: 'resend.key', key, kept })];
  }

  addDomain(name: string): ResendDomain {
    const domain: ResendDomain = {
      id: randomUUID(),
      name,
      status: 'not_started',
      createdAt: this.now().toISOString(),
    };
    this.keepDomain(domain);
    return domain;
  }

  keepDomain(domain: ResendDomain): void {
    this.domains.set(domain.id, domain);
    this.journal.append(this.line({ kind: 'resend.domain', domain }));
  }

  isVerified(domain: string): boolean {
    return [...this.domains.values()].some(({ name, status }) => name === domain && status === 'verified');
  }

  restore(record: JournalRecord): void {
    const { kind, email, key, kept, domain } = record;
    if (kind === 'resend.email') this.emails.set((email as ResendEmail).id, email as ResendEmail);
    if (kind === 'resend.key') this.keys.set(String(key), kept as Kept);
    if (kind === 'resend.domain') this.domains.set((domain as ResendDomain).id, domain as ResendDomain);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const email of this.emails.values()) yield this.line({ kind: 'resend.email', email });
    for (const [key, kept] of this.keys) yield this.line({ kind: 'resend.key', key, kept });
    for (const domain of this.domains.values()) yield this.line({ kind: 'resend.domain', domain });
  }

  private line(record: JournalRecord): JournalRecord {
    return { ...record, account: this.name };
  }

  private seed(): void {
    for (const name of VERIFIED)
      this.domains.set(name, { id: name, name, status: 'verified', createdAt: '2026-01-01T00:00:00.000Z' });
  }
}
