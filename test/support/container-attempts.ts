import { randomUUID } from 'node:crypto';
import type { PostOptions } from '#libs/content';
import type { FixedClock } from '#libs/clock/testing';
import type { GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  PrepareResponse,
  Prepared,
  Refusal,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.js';
import { ContractSubject } from './contract-subject.js';
import type { MemoryFile } from './memory-file.js';
import type { StandInOfContainers } from './stand-in-of-containers.js';

export interface Taken {
  readonly step: string | null;
  readonly prepared: Prepared;
  readonly last: PrepareResponse | null;
}

interface Content {
  readonly text?: string;
  readonly link?: string;
  readonly options?: PostOptions;
  readonly replyTo?: string;
}

/** Attempts of posts on a network that publishes containers, call by call. */
export class ContainerAttempts {
  private constructor(
    readonly subject: ContractSubject<StandInOfContainers>,
    readonly provider: PublishingProvider,
    private account: GrantedAccount,
    private readonly clock: FixedClock,
  ) {}

  static async start(
    standIn: (clock: FixedClock) => Promise<StandInOfContainers>,
    clock: FixedClock,
  ): Promise<ContainerAttempts> {
    const subject = await ContractSubject.start(() => standIn(clock));
    const provider = await subject.providerAt();
    return new ContainerAttempts(subject, provider, await subject.anAccount(provider), clock);
  }

  get standIn(): StandInOfContainers {
    return this.subject.standIn;
  }

  get signedIn(): GrantedAccount {
    return this.account;
  }

  /** Without faults and settings of the test before, and with a token that is valid now. */
  async reset(settings: object): Promise<void> {
    await this.standIn.sandbox.control('DELETE', '/faults');
    await this.standIn.set(settings);
    this.account = await this.subject.anAccount(this.provider);
  }

  aCall(files: readonly MemoryFile[], content: Content = {}): NetworkCall {
    const { text = `Post ${randomUUID()}`, link = null, options = {}, replyTo = null } = content;
    return {
      account: this.account.profile,
      accessToken: this.account.grant.accessToken,
      attemptId: randomUUID(),
      content: {
        text,
        title: null,
        link,
        target: {},
        options,
        replyTo,
        mediaIds: files.map(({ mediaId }) => mediaId),
      },
      files,
    };
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

  /** @param startedMsAgo by the clock of this machine, which the provider reads, or of the sandbox, whichever is behind */
  reconcile(call: NetworkCall, { prepared }: Pick<Taken, 'prepared'>, startedMsAgo = 1_000) {
    const { account, accessToken, content } = call;
    const now = Math.min(Date.now(), this.clock.now().getTime());
    const since = new Date(now - startedMsAgo).toISOString();
    return this.provider.reconcile({ account, accessToken, content, prepared, since });
  }

  fault(kind: string, route: string, more: object = {}): Promise<number> {
    return this.standIn.sandbox.fault({ kind, route, times: 1, ...more });
  }

  /** An error of the Graph API instead of an effect. */
  refuse(route: string, code: number, subcode?: number, times = 1): Promise<number> {
    const body = JSON.stringify({ error: { message: 'No.', code, error_subcode: subcode } });
    return this.fault('answer-instead', route, { status: 400, body, times });
  }

  /** How many posts and containers have the text of this call. */
  async effects({ content: { text } }: NetworkCall): Promise<{ posts: number; containers: number }> {
    const [posts, containers] = await Promise.all(
      ['post.created', 'container.created'].map((kind) => this.standIn.effects(kind, text)),
    );
    return { posts: posts?.length ?? 0, containers: containers?.length ?? 0 };
  }
}

export function refusalOf(response: { readonly kind: string } | null): Refusal {
  if (response?.kind !== 'refused' || !('refusal' in response)) throw new Error(response?.kind);
  return response.refusal as Refusal;
}

export const outcomeOf = (response: { readonly kind: string } | null): unknown[] => {
  const { failure, remedy } = refusalOf(response);
  return [failure.class, failure.code, remedy?.kind];
};
