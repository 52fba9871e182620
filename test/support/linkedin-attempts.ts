import { randomUUID } from 'node:crypto';
import type { FixedClock } from '#libs/clock/testing';
import type { DeliveryContent, NetworkSearch } from '../../src/integrations/domain/delivery-outcome.js';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  PrepareResponse,
  Prepared,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.js';
import { CONNECTING, ContractSubject, NOTHING } from './contract-subject.js';
import type { MemoryFile } from './memory-file.js';
import type { StandInOfLinkedIn } from './stand-in-of-linkedin.js';
import { standInOfLinkedIn } from './stand-in-of-linkedin.js';

interface Taken {
  readonly step: string | null;
  readonly prepared: Prepared;
  readonly last: PrepareResponse | null;
}

/** Attempts to publish on LinkedIn, with faults, counted at the ledger. */
export class LinkedInAttempts {
  private constructor(
    readonly subject: ContractSubject<StandInOfLinkedIn>,
    readonly provider: PublishingProvider,
    private readonly clock: FixedClock,
    private account: GrantedAccount,
  ) {}

  static async start(
    platform: 'linkedin' | 'linkedin-company',
    clock: FixedClock,
  ): Promise<LinkedInAttempts> {
    const subject = await ContractSubject.start(() => standInOfLinkedIn(platform, clock));
    const provider = await subject.providerAt();
    return new LinkedInAttempts(subject, provider, clock, await subject.anAccount(provider));
  }

  get sandbox() {
    return this.subject.standIn.sandbox;
  }

  get signedIn(): GrantedAccount {
    return this.account;
  }

  /** Without faults, with other settings, and with tokens that are valid. */
  async reset(settings: object): Promise<void> {
    await this.sandbox.control('DELETE', '/faults');
    await this.sandbox.control('PUT', '/linkedin/settings', settings);
    this.account = await this.subject.anAccount(this.provider);
  }

  aCall(files: readonly MemoryFile[] = [], more: Partial<DeliveryContent> = {}): NetworkCall {
    const { profile, grant } = this.account;
    const mediaIds = files.map((_, index) => `m${index}`);
    const plain = { title: null, link: null, target: {}, options: {}, replyTo: null };
    const content = { ...plain, text: `Attempt ${randomUUID()}`, mediaIds, ...more };
    const of = { ...CONNECTING, account: profile, accessToken: grant.accessToken };
    return { ...of, attemptId: randomUUID(), content, files };
  }

  /** Takes the steps; the sandbox's clock advances by each wait. */
  async steps(call: NetworkCall, from?: Pick<Taken, 'step' | 'prepared'>): Promise<Taken> {
    const beginning = from ?? { step: this.provider.firstStep(call.content), prepared: NOTHING };
    return this.subject.steps(this.provider, call, beginning, (response) => {
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

  reconcile(
    { account, accessToken, content }: NetworkCall,
    prepared: Prepared | null,
  ): Promise<NetworkSearch> {
    const since = new Date(this.clock.now().getTime() - 1_000).toISOString();
    return this.provider.reconcile({ ...CONNECTING, account, accessToken, content, prepared, since });
  }

  fault(kind: string, route: string, more: object = {}): Promise<number> {
    return this.sandbox.fault({ kind, route, times: 1, ...more });
  }

  /** The next call of the route is answered so. */
  answer(route: string, status: number, body: object): Promise<number> {
    return this.fault('answer-instead', route, { status, body: JSON.stringify(body) });
  }

  /** Effects since the beginning of this file: of all posts with this text, and of all uploads. */
  async posts({ content }: NetworkCall): Promise<number> {
    const all = (await this.sandbox.ledger('?kind=post.created')) as { text: string }[];
    return all.filter(({ text }) => text === content.text).length;
  }

  async uploads(): Promise<number> {
    return (await this.sandbox.ledger('?kind=media.initialized')).length;
  }
}

/** Class, code and remedy of a refusal. */
export function outcomeOf(response: PrepareResponse | CommitResponse | null): unknown {
  if (response?.kind !== 'refused') return response?.kind;
  const { failure, remedy } = response.refusal;
  return [failure.class, failure.code, remedy?.kind];
}
