import { randomUUID } from 'node:crypto';
import type { FixedClock } from '#libs/clock/testing';
import type { DeliveryContent } from '../../src/integrations/domain/delivery-outcome.js';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  PrepareResponse,
  Prepared,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import { CONNECTING, ContractSubject, type StandIn } from './contract-subject.js';
import type { MemoryFile } from './memory-file.js';
import type { SandboxForTests } from './sandbox.js';

export interface Taken {
  readonly step: string | null;
  readonly prepared: Prepared;
  readonly last: PrepareResponse | null;
}

/** A network as the sandbox simulates it. */
interface StandInInSandbox extends StandIn {
  readonly sandbox: SandboxForTests;
  /** Changes settings of the network. */
  readonly set: (settings: object) => Promise<void>;
}

export interface Subject<Of extends StandIn> {
  readonly subject: ContractSubject<Of>;
  readonly provider: PublishingProvider;
  readonly account: GrantedAccount;
  /** Of the sandbox. */
  readonly clock: FixedClock;
}

export async function subjectOf<Of extends StandIn>(
  standIn: (clock: FixedClock) => Promise<Of>,
  clock: FixedClock,
): Promise<Subject<Of>> {
  const subject = await ContractSubject.start(() => standIn(clock));
  const provider = await subject.providerAt();
  return { subject, provider, account: await subject.anAccount(provider), clock };
}

/** Attempts to publish on a network, call by call, with faults. */
export class PublishAttempts<Of extends StandInInSandbox> {
  readonly subject: ContractSubject<Of>;
  readonly provider: PublishingProvider;
  protected readonly clock: FixedClock;
  private account: GrantedAccount;

  constructor({ subject, provider, account, clock }: Subject<Of>) {
    this.subject = subject;
    this.provider = provider;
    this.clock = clock;
    this.account = account;
  }

  get standIn(): Of {
    return this.subject.standIn;
  }

  get sandbox(): SandboxForTests {
    return this.standIn.sandbox;
  }

  get signedIn(): GrantedAccount {
    return this.account;
  }

  /** Without faults and settings of the test before, and with a token that is valid now. */
  async reset(settings: object): Promise<void> {
    await this.sandbox.control('DELETE', '/faults');
    await this.standIn.set(settings);
    this.account = await this.subject.anAccount(this.provider);
  }

  aCall(files: readonly MemoryFile[] = [], more: Partial<DeliveryContent> = {}): NetworkCall {
    const { profile, grant } = this.account;
    const mediaIds = files.map(({ mediaId }) => mediaId);
    const plain = { title: null, link: null, target: {}, options: {}, replyTo: null };
    const content = { ...plain, text: `Post ${randomUUID()}`, mediaIds, ...more };
    const of = { ...CONNECTING, account: profile, accessToken: grant.accessToken };
    return { ...of, attemptId: randomUUID(), content, files };
  }

  /** Every wait takes as long as the provider asks. */
  steps(call: NetworkCall, from?: Pick<Taken, 'step' | 'prepared'>): Promise<Taken> {
    return this.subject.steps(this.provider, call, from, (response) => {
      if (response.kind === 'wait') this.clock.advance(response.milliseconds);
      return false;
    });
  }

  commit(call: NetworkCall, { prepared }: Pick<Taken, 'prepared'>): Promise<CommitResponse> {
    return this.provider.commit({ ...call, prepared, maySend: () => true });
  }

  async publish(call: NetworkCall): Promise<CommitResponse> {
    const taken = await this.steps(call);
    if (taken.step !== null) throw new Error(JSON.stringify(taken.last));
    return this.commit(call, taken);
  }

  fault(kind: string, route: string, more: object = {}): Promise<number> {
    return this.sandbox.fault({ kind, route, times: 1, ...more });
  }
}

/** Class, code and remedy of a refusal; the kind of every other response. */
export function outcomeOf(response: PrepareResponse | CommitResponse | null): unknown {
  if (response?.kind !== 'refused') return response?.kind;
  const { failure, remedy } = response.refusal;
  return [failure.class, failure.code, remedy?.kind];
}
