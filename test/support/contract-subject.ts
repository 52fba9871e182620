import { createHash, randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { type Environment, EnvironmentModule } from '#libs/config';
import type { DeliveryContent } from '../../src/integrations/domain/delivery-outcome.js';
import type { Grant, GrantedAccount } from '../../src/integrations/domain/provider-grants.js';
import type {
  CommitResponse,
  NetworkCall,
  PrepareResponse,
  Prepared,
  Refusal,
} from '../../src/integrations/domain/provider-publishing.js';
import type { PublishingProvider } from '../../src/integrations/provider.types.js';
import type { NetworkDeclaration } from '../../src/integrations/providers/network.declaration.js';
import { NETWORKS, registerNetwork } from '../../src/integrations/networks.js';
import type { MediaHost } from './media-host.js';
import type { MemoryFile } from './memory-file.js';

/** A network as the contract needs it: its stand-in, and what a person does there. */
export interface StandIn {
  readonly network: NetworkDeclaration;
  /** Its variables, for the stand-in at its own address or at another one. */
  readonly environment: (at?: string) => Environment;
  /** The scope without which nothing can be published; absent: the network has no scopes. */
  readonly publishing?: string;
  /** What makes the network ask a person again who allowed access before; absent: it cannot be told to. */
  readonly asksAgain?: Readonly<Record<string, string>>;
  /** The person allows access. @returns the code that comes back */
  readonly allow: (authorizationUrl: string) => Promise<string>;
  /** Its grants end at the network. */
  readonly endGrants: () => Promise<void>;
  /** The next call takes effect and its answer is lost. */
  readonly loseNextAnswer: () => Promise<void>;
  /** Texts of all posts. */
  readonly published: () => Promise<string[]>;
  /** Whether its ledger has the post with this text as made by a model. Absent: it takes no files. */
  readonly knowsOfAi?: (text: string) => Promise<boolean>;
  /** A refusal in the form of the network, for a reason that is not known here; null: another service calls the network. */
  readonly refusal: ((status: number) => object) | null;
  /** Everything that is prepared is usable from now on. */
  readonly process: () => void;
  /** Such content as takes the most steps there. */
  readonly content: (text: string) => DeliveryContent;
  /** The files of every such content. */
  readonly files: () => MemoryFile[];
  /**
   * How an attempt whose answer was lost is found: by a search, or, where the network lets nobody read posts, by the refusal of a
   * repeat that names the post. Default search.
   */
  readonly evidence?: 'search' | 'duplicate';
  /** What an irreversible call needs of the steps before it; absent: nothing. */
  readonly prepared?: Prepared;
  /** Files that the irreversible call sends together with `prepared`; absent: none. */
  readonly committedFiles?: () => MemoryFile[];
  /** The grant as it looks when it may be renewed; absent: at once. */
  readonly renewable?: (grant: Grant) => Grant;
  readonly stop: () => Promise<void>;
}

/** A network that fetches files from the media host. `StandIn.files` are files of that host. */
export interface StandInThatFetches extends StandIn {
  readonly fetching: {
    readonly host: MediaHost;
    /** SHA-256, hexadecimal, of the bytes that the network has of the files of the post with this text. */
    readonly received: (text: string) => Promise<string[]>;
    /** How many things were created on the network before posts, such as containers. */
    readonly created: () => Promise<number>;
    /** How many of them one post with `StandIn.content` needs. */
    readonly createdForContent: number;
  };
}

/** A network that is sent the bytes of files. */
export interface StandInWithFiles extends StandIn {
  readonly media: MediaStandIn;
}

/** How the network gets the bytes of files. The first file of `StandIn.files` is sent in several parts. */
export interface MediaStandIn {
  /** Bytes of the largest part. */
  readonly partBytes: number;
  /** SHA-256, hexadecimal, of the bytes that the network has of the files of the post with this text. */
  readonly received: (text: string) => Promise<string[]>;
  /** How many calls brought a part. */
  readonly parts: () => Promise<number>;
  /** The next part takes effect and its answer is lost. */
  readonly loseNextPart: () => Promise<void>;
  /** The next part is refused for good, without a reason that a new upload would remove. */
  readonly refuseNextPart: () => Promise<void>;
}

export const REDIRECT = 'http://127.0.0.1:3000/api/integrations/network/callback';
export const NOTHING: Prepared = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };
export const CONNECTING = { organizationId: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' };
/** Of a call, in milliseconds: only a hanging test reaches it. On a busy machine, the last part of a video takes seconds. */
export const CALL_MS = '60000';
/** More than any file of a contract needs. */
const MAX_STEPS = 100;

type Taken = Extract<PrepareResponse, { kind: 'next' | 'wait' | 'ready' }>;

export const withTaken = (prepared: Prepared, { ids, addresses, notes }: Taken): Prepared => ({
  ids: { ...prepared.ids, ...ids },
  addresses: { ...prepared.addresses, ...addresses },
  notes: { ...prepared.notes, ...notes },
  ageMs: 0,
});

/** As a person deselects it on the page of the network. */
function withoutScope(authorizationUrl: string, deselected: string): string {
  const url = new URL(authorizationUrl);
  const asked = url.searchParams.get('scope') ?? '';
  const separator = asked.includes(',') ? ',' : ' ';
  const scopes = asked.split(separator);
  if (!scopes.includes(deselected)) throw new Error(`${deselected} was not asked for.`);
  url.searchParams.set('scope', scopes.filter((scope) => scope !== deselected).join(separator));
  return url.toString();
}

/** @throws Error for every response that is no refusal */
export function refusalOf(response: { readonly kind: string } | null): Refusal {
  if (response?.kind !== 'refused' || !('refusal' in response)) throw new Error(JSON.stringify(response));
  return response.refusal as Refusal;
}

/** A stand-in, and providers that work with it. */
export class ContractSubject<Of extends StandIn = StandIn> {
  private readonly modules: TestingModule[] = [];

  private constructor(
    readonly standIn: Of,
    private readonly unregister: () => void,
  ) {}

  static async start<Of extends StandIn>(start: () => Promise<Of>): Promise<ContractSubject<Of>> {
    const standIn = await start();
    const isKnown = NETWORKS.includes(standIn.network);
    return new ContractSubject(standIn, isKnown ? () => undefined : registerNetwork(standIn.network));
  }

  async stop(): Promise<void> {
    for (const module of this.modules) await module.close();
    await this.standIn.stop();
    this.unregister();
  }

  /** A provider of its own for that address, as in another process. */
  async providerAt(at?: string): Promise<PublishingProvider> {
    const { connector } = this.standIn.network;
    if (!connector) throw new Error('Planned networks have no provider.');
    const environment = { NETWORK_TIMEOUT_MS: CALL_MS, ...this.standIn.environment(at) };
    const imports = [EnvironmentModule.forRoot(environment), connector.module];
    @Module({ imports })
    class Alone {}
    const module = await Test.createTestingModule({ imports: [Alone] }).compile();
    this.modules.push(module);
    return module.get(connector.provider, { strict: false });
  }

  async closeLatest(): Promise<void> {
    await this.modules.pop()?.close();
  }

  /** @param without a scope that the person does not allow */
  async signedIn(provider: PublishingProvider, without?: string): Promise<Grant> {
    const codeVerifier = randomBytes(32).toString('base64url');
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const url = provider.authorizationUrl({ state: 'a-state', codeChallenge, redirectUri: REDIRECT });
    const code = await this.standIn.allow(without === undefined ? url : withoutScope(url, without));
    return provider.exchange({ code, codeVerifier, redirectUri: REDIRECT });
  }

  async anAccount(provider: PublishingProvider): Promise<GrantedAccount> {
    const [account] = await provider.accounts(await this.signedIn(provider), CONNECTING);
    if (!account) throw new Error('No account.');
    return account;
  }

  /**
   * Takes the steps before the irreversible call, waits included.
   * @param from where to begin, instead of at the first step
   * @param until called with each response; true: stop before the next step
   * @returns what stopped it, and the step to continue with
   */
  async steps(
    provider: PublishingProvider,
    call: NetworkCall,
    from: { step: string | null; prepared: Prepared } = {
      step: provider.firstStep(call.content),
      prepared: NOTHING,
    },
    until: (response: PrepareResponse) => boolean = () => false,
  ): Promise<{ step: string | null; prepared: Prepared; last: PrepareResponse | null }> {
    let { step, prepared } = from;
    let last: PrepareResponse | null = null;
    for (let steps = 0; step !== null; steps += 1) {
      if (steps > MAX_STEPS) throw new Error('The steps do not end.');
      last = await provider.prepare({ ...call, step, prepared });
      if (last.kind === 'no-answer' || last.kind === 'refused') break;
      prepared = withTaken(prepared, last);
      step = last.kind === 'ready' ? null : last.step;
      if (until(last)) break;
      this.standIn.process();
    }
    return { step, prepared, last };
  }

  /** The outcome of the irreversible call, after the decision of a network that decides later. */
  async decided(
    provider: PublishingProvider,
    { account, accessToken, organizationId, content }: NetworkCall,
    prepared: Prepared,
    answer: CommitResponse,
  ): Promise<CommitResponse> {
    if (answer.kind !== 'accepted') return answer;
    const since = new Date().toISOString();
    const known = { ...prepared, ids: { ...prepared.ids, ...answer.ids } };
    for (let asked = 0; asked < MAX_STEPS; asked += 1) {
      this.standIn.process();
      const search = await provider.reconcile({
        account,
        accessToken,
        organizationId,
        content,
        prepared: known,
        since,
      });
      if (search.kind === 'pending') continue;
      const [post] = search.kind === 'found' ? search.posts : [];
      if (!post) throw new Error(search.kind);
      return { kind: 'published', ...post };
    }
    throw new Error('The network does not decide.');
  }
}
