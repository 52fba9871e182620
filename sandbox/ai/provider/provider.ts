import type { Clock } from '#libs/clock';
import type { Ledger } from '../../ledger/ledger.js';
import type { AccountName } from '../../ledger/effect.js';
import type { Journal } from '../../ledger/journal.js';
import { RateWindows, type Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { FaultInjectable, Refusal } from '../../wire/site.js';
import type { Gallery } from '../pictures/gallery.js';
import type { AiFaults } from './ai-faults.js';
import type { Bill } from './bill.js';
import { ProviderKeys } from './keys.js';
import { type ModelDraft, Models } from './models.js';
import type { Problem, ProblemWriter } from './problem.js';
import { PromptCache } from './prompt-cache.js';
import { AI_DEFAULTS, type AiSettings } from './settings.js';

/** What all AI providers share. */
export interface AiWorld {
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly journal: Journal;
  readonly bill: Bill;
  readonly faults: AiFaults;
  readonly gallery: Gallery;
}

/** How a provider differs from the others. */
export interface ProviderNature {
  /** In faults, in the ledger and in the paths of control routes. */
  readonly name: string;
  readonly displayName: string;
  /** The key that a new sandbox accepts. */
  readonly key: string;
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
  /** Settings of this provider that differ. */
  readonly settings?: Partial<AiSettings>;
}

/** The state of one AI provider. */
export class AiProvider implements FaultInjectable {
  readonly keys: ProviderKeys;
  readonly models: Models;
  readonly cache: PromptCache;
  readonly windows: RateWindows;
  settings: AiSettings;

  constructor(
    readonly world: AiWorld,
    readonly nature: ProviderNature,
  ) {
    this.keys = new ProviderKeys(nature.key);
    this.models = new Models(nature.models);
    this.cache = new PromptCache(world.clock);
    this.windows = new RateWindows(world.clock);
    this.settings = { ...AI_DEFAULTS, ...nature.settings };
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
    this.settings = { ...AI_DEFAULTS, ...this.nature.settings };
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
