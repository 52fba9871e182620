import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Database } from '#libs/database';
import { Metrics } from '#libs/http';
import { GatewayAudit, SYSTEM } from '../../../audit/gateway-audit.js';
import type { Failure, FailureKind } from '../../providers/wires/failure.js';
import type { Candidate } from '../fallback/fallback.js';
import type { BreakerReason, Circuit, PlannedCredential } from '../plan/plan.js';
import { MARK_FAILING, OF_CREDENTIAL, OF_MODEL, OPEN_UNTIL_CHECKED } from './breaker.sql.js';
import { Circuits } from './circuits.js';

/** Which failures count towards an open breaker: those of the model with this credential, and those of every model. */
const COUNTED: Readonly<Partial<Record<FailureKind, { of: 'model' | 'credential'; reason: BreakerReason }>>> =
  {
    rate: { of: 'model', reason: 'rate' },
    overload: { of: 'model', reason: 'overload' },
    'no-answer': { of: 'model', reason: 'silence' },
    'not-sent': { of: 'credential', reason: 'overload' },
  };

const OPEN_MS = 30_000;
const MAX_OPEN_MS = 60_000;

/** A part that a candidate probes, with the lease that it claimed. */
interface Probe {
  readonly circuits: Circuits;
  readonly key: readonly string[];
  readonly lease: string;
}

/**
 * Circuit breakers, shared by all replicas, of credentials and of models with a credential. Five failures in a row hold it back for 30
 * seconds; then one call probes it. A rate limit with a Retry-After holds the model back for that time, up to 60 seconds. An account without money is held back until a
 * check of the credential succeeds.
 */
@Injectable()
export class Breakers {
  private readonly logger = new Logger(Breakers.name);
  private readonly credentials: Circuits;
  private readonly models: Circuits;
  /** Candidates are objects of one request. */
  private readonly probes = new WeakMap<Candidate, readonly Probe[]>();
  private readonly opened: Counter<'provider' | 'reason'>;

  constructor(
    private readonly database: Database,
    private readonly audit: GatewayAudit,
    metrics: Metrics,
  ) {
    this.credentials = new Circuits(database, OF_CREDENTIAL);
    this.models = new Circuits(database, OF_MODEL);
    this.opened = new Counter({
      name: 'ai_breakers_opened_total',
      help: 'Credentials of AI providers, and models with a credential, that were held back, by provider and reason; money needs an operator.',
      labelNames: ['provider', 'reason'] as const,
      registers: [metrics.registry],
    });
  }

  /**
   * null: the candidate may be used; `note` or `release` must follow. Otherwise why it is held back, as a failure without a call.
   * @param limitMs the time of the attempt, which is also how long a probe without a result keeps others back
   */
  async refusal(candidate: Candidate, limitMs: number): Promise<Failure | null> {
    const { credential } = candidate;
    const claimed: Probe[] = [];
    this.probes.set(candidate, claimed);
    const refusal =
      (await this.admission(this.credentials, ofCredential(candidate), credential, limitMs, claimed)) ??
      (await this.admission(this.models, ofModel(candidate), credential.ofModel, limitMs, claimed));
    if (refusal) await this.release(candidate);
    return refusal;
  }

  /** @param failure null: the provider answered, or began to */
  async note(candidate: Candidate, failure: Failure | null): Promise<void> {
    if (!failure) return this.succeeded(candidate);
    const counted = COUNTED[failure.kind];
    if (counted) return this.count(candidate, failure, counted);
    if (failure.kind === 'money' && !failure.isOfRequest) await this.holdUntilChecked(candidate.credential);
    else if (failure.kind === 'credential' && !failure.isOfRequest)
      await this.markFailing(candidate.credential, failure.code);
    // Any other failure is a response of a provider that works; without a status it was not asked.
    else if (failure.status !== null) return this.succeeded(candidate);
    await this.release(candidate);
  }

  /** The call said nothing about the provider: another one may probe. */
  async release(candidate: Candidate): Promise<void> {
    for (const { circuits, key, lease } of this.probesOf(candidate)) await circuits.release(key, lease);
  }

  private async admission(
    circuits: Circuits,
    key: readonly string[],
    { breaker }: Circuit,
    limitMs: number,
    claimed: Probe[],
  ): Promise<Failure | null> {
    if (breaker.state === 'closed') return null;
    if (breaker.state === 'open') return heldBack(breaker.reason, breaker.remainingMs);
    const { lease, isClosed } = await circuits.claim(key, limitMs);
    if (lease !== null) claimed.push({ circuits, key, lease });
    return lease !== null || isClosed ? null : heldBack(breaker.reason, null);
  }

  private async succeeded(candidate: Candidate): Promise<void> {
    const { credential } = candidate;
    if (isNotClean(credential) || credential.isFailing) await this.credentials.close(ofCredential(candidate));
    if (isNotClean(credential.ofModel)) await this.models.close(ofModel(candidate));
    this.probes.delete(candidate);
  }

  private async count(
    candidate: Candidate,
    { kind, retryAfterMs }: Failure,
    { of, reason }: { of: 'model' | 'credential'; reason: BreakerReason },
  ): Promise<void> {
    const { provider } = candidate.model;
    const [circuits, key] =
      of === 'model' ? [this.models, ofModel(candidate)] : [this.credentials, ofCredential(candidate)];
    const probes = this.probesOf(candidate);
    const toldMs = kind === 'rate' && retryAfterMs !== null ? Math.min(retryAfterMs, MAX_OPEN_MS) : null;
    const hasProbeFailed = probes.some((probe) => probe.circuits === circuits);
    const counted = { reason, openMs: toldMs ?? OPEN_MS, hasProbeFailed, toldMs };
    await circuits.count(key, counted, (why) => this.opened.inc({ provider, reason: why }));
    for (const probe of probes)
      if (probe.circuits !== circuits) await probe.circuits.release(probe.key, probe.lease);
  }

  private probesOf(candidate: Candidate): readonly Probe[] {
    return this.probes.get(candidate) ?? [];
  }

  /** Counted and logged before the commit: when its answer is lost, the repetition finds nothing to open. */
  private holdUntilChecked({ provider, id, secret }: PlannedCredential): Promise<void> {
    return this.database.separateTransaction(async (transaction) => {
      const values = [id, secret];
      const [opened] = await transaction.query<{ organization_id: string | null }>(
        OPEN_UNTIL_CHECKED,
        values,
      );
      if (!opened) return;
      await this.audit.record(transaction, {
        action: 'credential_out_of_money',
        actor: SYSTEM,
        organizationId: opened.organization_id,
        target: { type: 'credential', id },
        details: { provider },
      });
      this.opened.inc({ provider, reason: 'money' });
      this.logger.error(
        { provider, credentialId: id },
        'A provider account is out of money. Calls with its credential are refused until a check of the credential succeeds.',
      );
    });
  }

  /** As `holdUntilChecked`. */
  private markFailing({ provider, id, secret }: PlannedCredential, code: string | null): Promise<void> {
    return this.database.separateTransaction(async (transaction) => {
      const [marked] = await transaction.query(MARK_FAILING, [id, secret]);
      if (marked)
        this.logger.error(
          { provider, credentialId: id, code },
          'A credential cannot be used: its provider does not accept it, or no configured key decrypts it. Replace its secret.',
        );
    });
  }
}

const ofCredential = ({ credential }: Candidate): readonly string[] => [credential.id, credential.secret];
const ofModel = ({ credential: { id, secret }, model: { model } }: Candidate): readonly string[] => [
  id,
  model,
  secret,
];

const isNotClean = ({ breaker, failures }: Circuit): boolean => breaker.state !== 'closed' || failures > 0;

const DETAILS: Readonly<Record<BreakerReason, string>> = {
  money: 'The account at the provider has no money or quota left.',
  rate: 'The provider limits the rate of calls.',
  overload: 'The provider is overloaded or cannot be reached.',
  silence: 'The provider does not answer.',
};

/** Of a probe that runs, the remaining time can be that of a long call. */
const heldBack = (reason: BreakerReason, remainingMs: number | null): Failure => ({
  kind: reason === 'silence' ? 'overload' : reason,
  status: null,
  code: null,
  detail: DETAILS[reason],
  retryAfterMs: remainingMs === null ? null : Math.min(remainingMs, MAX_OPEN_MS),
});
