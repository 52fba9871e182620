import { hash, randomUUID } from 'node:crypto';
import { Table } from '../../networks/kit/state/table.js';
import { Records } from '../../networks/kit/state/records.js';
import type { SandboxContext } from '../../outside-service.js';
import type { Call } from '../../wire/call.js';
import type { Handled } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';

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
  readonly status: 'not_started' | 'pending' | 'verified' | 'failed';
  readonly createdAt: string;
}

/** The first email of an idempotency key. */
interface FirstEmail {
  readonly id: string;
  readonly fingerprint: string;
  readonly emailId: string;
  readonly until: number;
}

/** A route of Resend, which serves the account whose key the call carries. */
export interface AccountRoute extends Omit<Route, 'handle'> {
  readonly handle: (call: Call, account: string) => Handled;
}

/** Its key is configured; it is the only one that sends events. */
export const FIRST_ACCOUNT = 'resend';

/** Idempotency keys expire after 24 hours (resend.com/docs, "Idempotency Keys"). */
const KEY_MS = 24 * 3_600_000;
/** Every account has them. Names of hosts ending in .invalid exist nowhere; everything else has to be added. */
const VERIFIED = ['resend.dev', 'platform.invalid'].map((name): ResendDomain => ({
  id: name,
  name,
  status: 'verified',
  createdAt: '2026-01-01T00:00:00.000Z',
}));

/** The accounts at Resend by their names. Each has one key, emails, domains and idempotency keys of its own. */
export class ResendAccounts {
  readonly emails: Table<ResendEmail>;
  private readonly keys: Records<{ readonly id: string; readonly key: string }>;
  private readonly domains: Table<ResendDomain>;
  private readonly results: Table<FirstEmail>;

  constructor(
    private readonly world: SandboxContext,
    private readonly firstKey: string,
  ) {
    const { journal, capacity } = world;
    this.keys = new Records(journal, 'resend.account');
    this.emails = new Table(journal, 'resend.email', capacity);
    this.domains = new Table(journal, 'resend.domain', capacity);
    this.results = new Table(journal, 'resend.key', capacity);
  }

  get persistent() {
    return [this.keys, this.emails, this.domains, this.results];
  }

  /** The name of the account with the key. */
  byKey(key: string | null): string | undefined {
    if (key === (this.keys.find(FIRST_ACCOUNT)?.key ?? this.firstKey)) return FIRST_ACCOUNT;
    return [...this.keys.all].find((each) => each.key === key)?.id;
  }

  /** Opens an account, or replaces the key of one. */
  give(name: string, key: string): void {
    this.keys.keep({ id: name, key });
  }

  /** @returns the id of the first email, or `different` when the body is not the first one's */
  repeated(account: string, key: string, body: string): { readonly id: string } | 'different' | null {
    const first = this.results.of(account, `${account} ${key}`);
    if (!first || first.until <= this.world.clock.now().getTime()) return null;
    return first.fingerprint === hash('sha256', body) ? { id: first.emailId } : 'different';
  }

  add(account: string, email: ResendEmail, key: string | undefined, body: string): void {
    this.emails.put(account, email);
    if (key === undefined) return;
    const until = this.world.clock.now().getTime() + KEY_MS;
    const id = `${account} ${key}`;
    this.results.put(account, { id, fingerprint: hash('sha256', body), emailId: email.id, until });
  }

  domainsOf(account: string): ResendDomain[] {
    return [...VERIFIED, ...this.domains.allOf(account)];
  }

  addDomain(account: string, name: string): ResendDomain {
    const createdAt = this.world.clock.now().toISOString();
    return this.domains.put(account, { id: randomUUID(), name, status: 'not_started', createdAt });
  }

  /** A domain becomes verified when it is asked to. */
  verify(account: string, { id }: ResendDomain): void {
    const domain = this.domains.of(account, id);
    if (domain) this.domains.put(account, { ...domain, status: 'verified' });
  }

  isVerified(account: string, domain: string): boolean {
    return this.domainsOf(account).some(({ name, status }) => name === domain && status === 'verified');
  }

  clear(): void {
    for (const part of this.persistent) part.clear();
  }
}
