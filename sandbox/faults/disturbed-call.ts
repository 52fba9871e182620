import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect } from '../ledger/effect.js';
import type { Handled, SandboxResponse } from '../wire/response.js';
import type { FaultInjectable } from '../wire/site.js';
import type { Fault } from './fault.js';
import type { Disturbance } from './fault-registry.js';

/** What the sandbox sends: a response, half of one, or nothing. */
export interface FaultedResponse {
  readonly answer: SandboxResponse | null;
  readonly cut: boolean;
}

export const NOTHING: FaultedResponse = { answer: null, cut: false };

export const whole = (answer: SandboxResponse): FaultedResponse => ({ answer, cut: false });

/** Performs a call under a disturbance. Runs `effect` at most once, and not at all after a refusal. */
export async function disturbedCall(
  disturbance: Disturbance,
  site: FaultInjectable,
  effect: () => Handled,
  withhold: (effect: Effect, by: string) => void,
): Promise<FaultedResponse> {
  const { delayBeforeMs, delayAfterMs, outcome } = disturbance;
  if (delayBeforeMs > 0) await sleep(delayBeforeMs);
  const delivery = (outcome && refusal(outcome, site)) ?? carriedOut(await effect(), outcome, site, withhold);
  if (delayAfterMs > 0) await sleep(delayAfterMs);
  return delivery;
}

function carriedOut(
  answer: SandboxResponse,
  outcome: Fault | undefined,
  site: FaultInjectable,
  withhold: (effect: Effect, by: string) => void,
): FaultedResponse {
  if (!outcome) return whole(answer);
  if (answer.effect) withhold(answer.effect, outcome.kind);
  return lost(answer, outcome, site);
}

function refusal(fault: Fault, site: FaultInjectable): FaultedResponse | undefined {
  switch (fault.kind) {
    case 'drop-before-effect':
      return NOTHING;
    case 'rate-limited':
      return whole(site.refuse({ kind: 'rate-limited', resetSeconds: fault.resetSeconds }));
    case 'usage-capped':
    case 'unauthorized':
      return whole(site.refuse({ kind: fault.kind }));
    case 'forbidden':
      return whole(site.refuse({ kind: 'forbidden', reason: fault.reason }));
    case 'server-error-before-effect':
      return whole(site.refuse({ kind: 'server-error', status: fault.status }));
    case 'answer-instead':
      return whole(verbatim(fault.status, fault.body ?? ''));
    default:
      return undefined;
  }
}

function lost(answer: SandboxResponse, fault: Fault, site: FaultInjectable): FaultedResponse {
  switch (fault.kind) {
    case 'drop-after-effect':
      return NOTHING;
    case 'cut-answer':
      return { answer, cut: true };
    case 'server-error-after-effect': {
      const sent = site.refuse({ kind: 'server-error', status: fault.status });
      site.replaced?.(answer, sent);
      return whole(sent);
    }
    default:
      return whole(verbatim(answer.status, fault.body ?? answer.body.slice(0, answer.body.length / 2)));
  }
}

const verbatim = (status: number, body: string): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body,
});
