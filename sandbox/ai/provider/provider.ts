import type { Clock } from '#libs/clock';
import type { AccountName } from '../../ledger/effect.js';
import type { Journal } from '../../ledger/journal.js';
import type { Ledger } from '../../ledger/ledger.js';
import { count, flag, type MemberChecks, oneOf } from '../../networks/kit/state/members.js';
import { RateWindows, type Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import type { FaultInjectable, Refusal } from '../../wire/site.js';
import type { Gallery } from '../pictures/gallery.js';
import type { AiFaults } from './ai-faults.js';
import type { Bill } from './bill.js';
import { ProviderKeys } from './keys.js';
import { type ModelDraft, Models } from './models.js';
import type { Problem, ProblemWriter } from './problem.js';
import { PromptCache } from './prompt-cache.js';

export const AI_DEFAULTS = {
  /** Time until a response, or until the first byte of a stream. */
  delayMs: 0,
  /** Time between two parts of a stream. */
  partDelayMs: 0,
  requestsPerMinute: 100_000,
  /** Tokens in one part of a stream. */
  tokensPerPart: 3,
  lineEnd: 'lf' as 'lf' | 'crlf' | 'cr',
  /** Writes characters of several bytes in two parts. */
  splitsCharacters: true,
  /** Models in one page of a list route. */
  modelsPerPage: 1_000,
};
/** What a test may change at a provider. */
export type AiSettings = Readonly<typeof AI_DEFAULTS>;

export const AI_SETTINGS: MemberChecks<AiSettings> = {
  delayMs: count(600_000),
  partDelayMs: count(600_000),
  requestsPerMinute: count(10_000_000),
  tokensPerPart: count(1_000, 1),
  lineEnd: oneOf('lf', 'crlf', 'cr'),
  splitsCharacters: flag,
  modelsPerPage: count(1_000, 1),
};

export interface AiWorld {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly bill: Bill;
  readonly faults: AiFaults;
  readonly gallery: Gallery;
}

export interface ProviderNature {
  /** In faults, in the ledger and in the paths of control routes. */
  readonly name: 'openai' | 'openrouter' | 'anthropic' | 'google';
  readonly displayName: string;
  /** First segment of its paths. */
  readonly prefix: string;
  readonly standsFor: string;
  /** The variable of its key, as an open catalog names it. */
  readonly keyVariable: string;
  readonly models: readonly ModelDraft[];
  readonly keyIn: (call: Call) => string | null;
  /** The text of the prompt, for faults that look for one. */
  readonly textOf: (call: Call) => string | undefined;
  readonly write: ProblemWriter;
  readonly newRequestId: () => string;
  readonly requestIdHeader: string | null;
  /** Of the rate limit that the call counts against. */
  readonly limitHeaders: (window: Usage, now: Date) => Record<string, string>;
  readonly billsCacheWrites: boolean;
  readonly routes: (provider: AiProvider) => Route[];
}

export class AiProvider implements FaultInjectable {
  readonly keys: ProviderKeys;
  readonly models: Models;
  readonly cache: PromptCache;
  readonly windows: RateWindows;
  readonly routes: readonly Route[];
  settings: AiSettings = AI_DEFAULTS;

  constructor(
    readonly world: AiWorld,
    readonly nature: ProviderNature,
    /** That a new sandbox accepts. */
    readonly key: string,
  ) {
    this.keys = new ProviderKeys(key);
    this.routes = nature.routes(this);
    this.models = new Models(nature.models);
    this.cache = new PromptCache(world.clock);
    this.windows = new RateWindows(world.clock);
  }

  get network(): string {
    return this.nature.name;
  }

  accountOf(call: Call): AccountName | undefined {
    const sent = this.nature.keyIn(call);
    const key = sent === null ? undefined : this.keys.find(sent);
    return key && { id: key.id, username: key.label };
  }

  textOf(call: Call): string | undefined {
    return this.nature.textOf(call);
  }

  refuse(refusal: Refusal): SandboxResponse {
    return this.problem(problemOfRefusal(refusal), this.nature.newRequestId());
  }

  problem(problem: Problem, requestId: string): SandboxResponse {
    const now = this.world.clock.now();
    const { status, headers, body } = this.nature.write(problem, { requestId, now });
    return withHeaders(json(status, body), { ...this.requestIdHeaders(requestId), ...headers });
  }

  requestIdHeaders(requestId: string): Record<string, string> {
    const { requestIdHeader } = this.nature;
    return requestIdHeader === null ? {} : { [requestIdHeader]: requestId };
  }

  clear(): void {
    for (const part of [this.keys, this.models, this.cache, this.windows]) part.clear();
    this.settings = AI_DEFAULTS;
  }
}

function problemOfRefusal(refusal: Refusal): Problem {
  switch (refusal.kind) {
    case 'rate-limited':
      return { kind: 'rate-limited', retryAfterSeconds: refusal.resetSeconds };
    case 'usage-capped':
      return { kind: 'quota-exhausted' };
    case 'unauthorized':
      return { kind: 'unknown-key', key: 'sk-unknown' };
    case 'forbidden':
      return { kind: 'forbidden-key' };
    case 'server-error':
      return refusal.status === 503
        ? { kind: 'overloaded' }
        : { kind: 'server-error', status: refusal.status };
  }
}
