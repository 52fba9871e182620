import { setTimeout as sleep } from 'node:timers/promises';
import { type EffectMedia, hintsIn } from '../../ledger/effect.js';
import type { Usage } from '../../networks/kit/state/rate-windows.js';
import type { Call } from '../../wire/call.js';
import {
  type Handled,
  json,
  type SandboxResponse,
  type StreamEnd,
  withHeaders,
} from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { type AiFault, problemOf } from './ai-fault.js';
import type { BillLine, BilledUsage } from './bill.js';
import type { ProviderKey } from './keys.js';
import { type Ability, type AiModel, isRetired } from './models.js';
import { type Problem, ProviderRefuses, refuse } from './problem.js';
import type { AiProvider } from './provider.js';

/** Larger than the files that providers accept, which check their own limits. */
const MAX_BODY_BYTES = 33_000_000;
/** The ledger keeps the beginning of a prompt. */
const KEPT_CHARACTERS = 4_000;

export interface Admitted {
  readonly key: ProviderKey;
  readonly model: AiModel;
  /** What is to go wrong although the call is accepted. */
  readonly fault: AiFault | undefined;
}

export interface AcceptedCall {
  readonly ability: Ability;
  readonly prompt: string;
  readonly usage: BilledUsage;
  readonly media?: readonly EffectMedia[];
}

/** One call of a provider, from its arrival to its line in the bill. */
export class ProviderCall {
  readonly requestId: string;
  window?: Usage;
  private key?: ProviderKey;

  constructor(
    readonly provider: AiProvider,
    readonly call: Call,
  ) {
    this.requestId = provider.nature.newRequestId();
  }

  get now(): Date {
    return this.provider.world.clock.now();
  }

  /** Models that are not retired. */
  get listed(): readonly AiModel[] {
    return this.provider.models.all.filter((model) => !isRetired(model, this.now));
  }

  /** The key of the call, checked before its body. It needs no money for a list of models. @throws ProviderRefuses */
  authenticate(): ProviderKey {
    if (this.key) return this.key;
    const { nature, keys } = this.provider;
    const sent = nature.keyIn(this.call);
    if (sent === null) return refuse({ kind: 'no-key' });
    const key = keys.find(sent);
    if (!key) return refuse({ kind: 'unknown-key', key: sent });
    if (key.state === 'revoked') refuse({ kind: 'revoked-key' });
    if (key.state === 'forbidden') refuse({ kind: 'forbidden-key' });
    this.countAgainstLimit(key);
    return (this.key = key);
  }

  private countAgainstLimit(key: ProviderKey): void {
    const { windows, settings } = this.provider;
    this.window = windows.take(key.id, { limit: settings.requestsPerMinute, windowSeconds: 60 });
    if (!this.window.allowed) {
      const seconds = this.window.reset - Math.floor(this.now.getTime() / 1000);
      refuse({ kind: 'rate-limited', retryAfterSeconds: Math.max(1, seconds) });
    }
  }

  admit(modelId: string, ability: Ability): Admitted {
    const key = this.authenticate();
    const { models, network, world } = this.provider;
    const fault = world.faults.next({ provider: network, model: modelId, key: [key.id, key.label], ability });
    const problem = fault && problemOf(fault, modelId);
    if (problem) throw new FaultRefuses(problem, fault.inside200);
    if (key.state !== 'ok') refuse({ kind: key.state as 'out-of-money' });
    const model = models.find(modelId, this.now);
    if (!model?.abilities.includes(ability)) return refuse({ kind: 'no-model', model: modelId });
    return { key, model, fault };
  }

  /** The time that the provider takes. @throws AbortError when the client leaves */
  async think({ fault }: Admitted, billed: BilledCall): Promise<void> {
    const slow = fault?.kind === 'slow-first-byte' ? fault.delayMs : 0;
    const ms = this.provider.settings.delayMs + slow;
    if (ms === 0) return;
    try {
      await sleep(ms, undefined, { signal: this.call.client.signal });
    } catch (error) {
      this.ended(billed, 'client-left');
      throw error;
    }
  }

  /** Notes in the bill and in the ledger how a response ended. */
  ended({ effect, line }: BilledCall, how: StreamEnd): void {
    if (line.end !== 'open') return;
    line.end = how;
    if (how !== 'sent')
      this.provider.world.ledger.withhold(effect, how === 'cut' ? (line.fault ?? how) : how);
  }

  accept({ key, model, fault }: Admitted, { ability, prompt, usage, media }: AcceptedCall): BilledCall {
    const { provider, call, requestId } = this;
    const { ledger, journal, bill } = provider.world;
    const at = this.now.toISOString();
    const effect = ledger.record({
      network: provider.network,
      kind: `ai.${ability}`,
      at,
      account: { id: key.id, username: key.label },
      id: requestId,
      text: prompt.slice(0, KEPT_CHARACTERS),
      inReplyTo: null,
      ...(media && { media }),
      host: call.host,
      token: key.id,
      hints: hintsIn(call.headers),
    });
    journal.append({ kind: 'effect', effect });
    const line = bill.add({
      provider: provider.network,
      host: call.host,
      ability,
      model: model.id,
      key: key.id,
      requestId,
      at,
      usage,
      fault: fault?.kind ?? null,
    });
    return { effect, line };
  }

  answer(body: unknown, { effect, line }: BilledCall): SandboxResponse {
    this.ended({ effect, line }, this.call.client.hasLeft ? 'client-left' : 'sent');
    return { ...json(200, body), effect };
  }
}

export interface BilledCall {
  readonly effect: NonNullable<SandboxResponse['effect']>;
  readonly line: BillLine;
}

/** A refusal by a fault, which can come in a response of status 200. */
class FaultRefuses extends ProviderRefuses {
  constructor(
    problem: Problem,
    readonly inside200: boolean,
  ) {
    super(problem);
  }
}

export type ProviderHandler = (call: ProviderCall) => Handled;

/** A route of a provider: refusals in its own words, its headers on every response. */
export function providerRoute(
  provider: AiProvider,
  method: Route['method'],
  path: string,
  handle: ProviderHandler,
): Route {
  return {
    method,
    path,
    maxBodyBytes: MAX_BODY_BYTES,
    async handle(call) {
      const exchange = new ProviderCall(provider, call);
      try {
        return withHeaders(await handle(exchange), headersOf(exchange));
      } catch (error) {
        if (call.client.hasLeft) return json(499, {});
        if (error instanceof ProviderRefuses)
          return withHeaders(refusal(exchange, error), headersOf(exchange));
        throw error;
      }
    },
  };
}

function refusal({ provider, requestId }: ProviderCall, error: ProviderRefuses): SandboxResponse {
  const response = provider.problem(error.problem, requestId);
  return error instanceof FaultRefuses && error.inside200 ? { ...response, status: 200 } : response;
}

const headersOf = ({ provider, requestId, window, now }: ProviderCall): Record<string, string> => ({
  ...provider.requestIdHeaders(requestId),
  ...(window && provider.nature.limitHeaders(window, now)),
});
