import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Database } from '#libs/database';
import { Metrics } from '#libs/http';
import { GatewayAudit, SYSTEM } from '../../audit/gateway-audit.js';
import type { Failure, FailureKind } from '../../ai-providers/failure.js';
import type { Candidate } from '../fallback/fallback.js';
import type { BreakerReason, PlannedCredential } from '../plans/plan.js';
import { CLAIM_PROBE, CLOSE, COUNT_FAILURES, MARK_FAILING, OPEN_UNTIL_CHECKED } from './breaker.sql.js';

/** Which failures count towards an open breaker. */
const COUNTED: Readonly<Partial<Record<FailureKind, BreakerReason>>> = {
  rate: 'rate',
  overload: 'overload',
  'not-sent': 'overload',
  'no-answer': 'overload',
};
const OPEN_MS = 30_000;
const MAX_OPEN_MS = 60_000;

interface Counted {
  failures: number;
  openMs: number;
  reason: BreakerReason;
  hasProbeFailed: boolean;
}

/**
 * Circuit breakers of credentials, shared by all replicas: their state is in the row of the credential. Five failures in a row hold a
 * credential back for 30 seconds, or for the Retry-After of a rate limit up to 60; then one call probes it. An account without money
 * is held back until a check of the credential succeeds.
 */
@Injectable()
export class Breakers {
  private readonly logger = new Logger(Breakers.name);
  /** Failures that the running statement for the credential does not contain. */
  private readonly pending = new Map<string, Counted | null>();
  private readonly opened: Counter<'provider' | 'reason'>;

  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
    metrics: Metrics,
  ) {
    this.opened = new Counter({
      name: 'ai_breakers_opened_total',
      help: 'Credentials of AI providers that were held back, by provider and reason; money needs an operator.',
      labelNames: ['provider', 'reason'] as const,
      registers: [metrics.registry],
    });
  }

  /** null: the credential may be used. Otherwise why it is held back, as a failure without a call. */
  async refusal({ id, breaker }: PlannedCredential): Promise<Failure | null> {
    if (breaker.state === 'closed') return null;
    if (breaker.state === 'open') return heldBack(breaker.reason, breaker.remainingMs);
    const [claimed] = await this.database.query(CLAIM_PROBE, [id]);
    return claimed ? null : heldBack(breaker.reason, null);
  }

  /** @param failure null: the provider answered */
  note({ model, credential }: Candidate, failure: Failure | null): Promise<void> {
    return failure ? this.failed(model.provider, credential, failure) : this.succeeded(credential);
  }

  private async succeeded({ id, breaker, isFailing, failures }: PlannedCredential): Promise<void> {
    if (breaker.state !== 'closed' || isFailing || failures > 0) await this.database.query(CLOSE, [id]);
  }

  private async failed(provider: string, credential: PlannedCredential, failure: Failure): Promise<void> {
    const { kind } = failure;
    const { id, breaker } = credential;
    if (kind === 'money') return this.holdUntilChecked(provider, id);
    if (kind === 'credential') return this.markFailing(provider, id, failure.code);
    const reason = COUNTED[kind];
    // Any other failure is a response of a provider that works; without a status it was not asked.
    if (!reason) return failure.status === null ? undefined : this.succeeded(credential);
    await this.count(provider, id, {
      failures: 1,
      openMs: kind === 'rate' ? Math.min(failure.retryAfterMs ?? OPEN_MS, MAX_OPEN_MS) : OPEN_MS,
      reason,
      hasProbeFailed: breaker.state === 'half-open',
    });
  }

  private async holdUntilChecked(provider: string, id: string): Promise<void> {
    const hasOpened = await this.database.separateTransaction(async (transaction) => {
      const [opened] = await transaction.query<{ organization_id: string | null }>(OPEN_UNTIL_CHECKED, [id]);
      if (opened)
        await this.audit.record(transaction, {
          action: 'credential_out_of_money',
          actor: SYSTEM,
          organizationId: opened.organization_id,
          target: { type: 'credential', id },
          details: { provider },
        });
      return opened !== undefined;
    });
    if (!hasOpened) return;
    this.opened.inc({ provider, reason: 'money' });
    this.logger.error(
      { provider, credentialId: id },
      'A provider account is out of money. Calls with its credential are refused until a check of the credential succeeds.',
    );
  }

  private async markFailing(provider: string, id: string, code: string | null): Promise<void> {
    const [marked] = await this.database.query(MARK_FAILING, [id]);
    if (marked)
      this.logger.error(
        { provider, credentialId: id, code },
        'A credential cannot be used: its provider does not accept it, or no configured key decrypts it. Replace its secret.',
      );
  }

  /** At most one statement per credential and process at a time: failures that arrive meanwhile are counted by the next one. */
  private async count(provider: string, id: string, counted: Counted): Promise<void> {
    const pending = this.pending.get(id);
    if (pending !== undefined) {
      this.pending.set(id, pending ? added(pending, counted) : counted);
      return;
    }
    let next: Counted | null | undefined = counted;
    try {
      while (next) {
        this.pending.set(id, null);
        await this.write(provider, id, next);
        next = this.pending.get(id);
      }
    } finally {
      this.pending.delete(id);
    }
  }

  private async write(provider: string, id: string, counted: Counted): Promise<void> {
    const { failures, reason, openMs, hasProbeFailed } = counted;
    const values = [id, failures, reason, Math.ceil(openMs), hasProbeFailed];
    const [row] = await this.database.query<{ opens: boolean }>(COUNT_FAILURES, values);
    if (row?.opens) this.opened.inc({ provider, reason });
  }
}

const added = (one: Counted, other: Counted): Counted => ({
  failures: one.failures + other.failures,
  openMs: Math.max(one.openMs, other.openMs),
  reason: other.reason,
  hasProbeFailed: one.hasProbeFailed || other.hasProbeFailed,
});

const DETAILS: Readonly<Record<BreakerReason, string>> = {
  money: 'The account at the provider has no money or quota left.',
  rate: 'The provider limits the rate of calls.',
  overload: 'The provider is overloaded or cannot be reached.',
};

const heldBack = (reason: BreakerReason, retryAfterMs: number | null): Failure => ({
  kind: reason,
  status: null,
  code: null,
  detail: DETAILS[reason],
  retryAfterMs,
});
