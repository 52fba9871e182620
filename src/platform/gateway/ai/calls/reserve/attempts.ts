import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { NoCredentialIsUsable } from '../../ai.errors.js';
import { RefusedModels } from '../../models/catalog/models.store.js';
import type { Failure } from '../../providers/wires/failure.js';
import type { AiWire, WireCall } from '../../providers/wires/wire.js';
import { type NanoDollars, SpendLedger } from '../../usage/spend/spend-ledger.js';
import type { AiCall } from '../admit/ai-requests.js';
import { Breakers } from '../breakers/breakers.js';
import type { AttemptRecord } from '../fallback/attempt-record.js';
import type { Candidate } from '../fallback/fallback.js';
import type { PlannedCredential } from '../plan/plan.js';
import { BackgroundWrites } from '../settle/background-writes.js';
import { knownCost, type Settlement } from '../settle/settlement.js';
import type { AttemptTime } from './attempt-time.js';

/** Decrypts for the call of an adapter, and nowhere else. */
export abstract class CredentialSecrets {
  /** @throws when the key of the record is not configured */
  abstract open(credential: PlannedCredential): string;
}

/** How a provider is called. */
interface ProviderTransport {
  readonly wire: AiWire;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export abstract class ProviderTransports {
  /** null: no AI provider of this gateway. */
  abstract find(provider: string): ProviderTransport | null;
}

/** What one attempt is given. */
export interface AttemptContext {
  readonly call: AiCall;
  readonly candidate: Candidate;
  /** Before this one. */
  readonly earlier: readonly AttemptRecord[];
  readonly time: AttemptTime;
}

/** An attempt whose cost is reserved. It must be ended exactly once. */
export interface OpenAttempt {
  /** Of the reservation. */
  readonly usageId: string;
  readonly wire: AiWire;
  readonly call: WireCall;
  /** The first content of a stream has arrived: a probe has succeeded, however long the stream lasts. */
  begun(): void;
  /** Settles it after the response: the caller does not wait. */
  end(settlement: Settlement, failure: Failure | null, status: number | null): AttemptRecord;
}

interface Opened {
  readonly usageId: string;
  readonly candidate: Candidate;
  readonly startedAt: number;
  readonly time: AttemptTime;
}

/** The provider was asked, and does not serve the model to this credential. */
const isOfModel = ({ kind, status, isOfRequest = false }: Failure): boolean =>
  status !== null && (kind === 'model' || (kind === 'credential' && isOfRequest));

/** Opens attempts: reserves their cost, and decrypts the credential for the adapter only. */
@Injectable()
export class Attempts {
  constructor(
    private readonly ledger: SpendLedger,
    private readonly secrets: CredentialSecrets,
    private readonly transports: ProviderTransports,
    private readonly breakers: Breakers,
    private readonly writes: BackgroundWrites,
    private readonly clock: Clock,
    private readonly refused: RefusedModels,
  ) {}

  /** @throws NoCredentialIsUsable, SecretIsUnreadable, and as `SpendLedger.reserve` */
  async open(
    { call, candidate, earlier, time }: AttemptContext,
    estimate: NanoDollars | null,
  ): Promise<OpenAttempt> {
    const { attribution, capability, requestId } = call;
    const { model, credential } = candidate;
    const { provider, model: name, accepts } = model;
    const { wire, baseUrl, headers } = this.transportOf(provider);
    const secret = this.secrets.open(credential);
    const usageId = await this.ledger.reserve({
      attribution,
      capability,
      requestId,
      attempt: earlier.length + 1,
      provider,
      credentialId: credential.id,
      model: name,
      estimate,
      sealedSecret: credential.secret,
      expectedPlan: earlier.length === 0 ? call.plan.expected : undefined,
    });
    const { signal, remainingMs: timeoutMs } = time;
    const startedAt = this.clock.monotonic();
    return {
      usageId,
      wire,
      call: { baseUrl, headers, secret, model: name, accepts, signal, timeoutMs },
      begun: () => {
        time.begun();
        this.writes.add(() => this.breakers.note(candidate, null));
      },
      end: (settlement, failure, status) =>
        this.end({ usageId, candidate, startedAt, time }, settlement, failure, status),
    };
  }

  private transportOf(provider: string): ProviderTransport {
    const transport = this.transports.find(provider);
    if (!transport) throw new NoCredentialIsUsable(provider);
    return transport;
  }

  private end(
    { usageId, candidate, startedAt, time }: Opened,
    settlement: Settlement,
    failure: Failure | null,
    status: number | null,
  ): AttemptRecord {
    const milliseconds = Math.round(this.clock.monotonic() - startedAt);
    const { model, credential } = candidate;
    this.writes.add(() =>
      settlement.kind === 'release'
        ? this.ledger.release(usageId, settlement.failure)
        : this.ledger.settle(usageId, { ...settlement.settled, milliseconds }),
    );
    if (failure && isOfModel(failure)) this.writes.add(() => this.refused.note(model.provider, model.model));
    const { saysNothing } = time;
    this.writes.add(() =>
      saysNothing ? this.breakers.release(candidate) : this.breakers.note(candidate, failure),
    );
    return {
      provider: model.provider,
      model: model.model,
      credential: credential.organizationId === null ? 'platform' : 'own',
      outcome: failure?.kind ?? 'answered',
      status,
      milliseconds,
      cost: knownCost(settlement),
    };
  }
}
