import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect } from '../../ledger/effect.js';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { newId } from '../state/ids.js';
import type { Caused, Payments } from '../payments.js';
import { parseForm } from './form.js';
import { Params } from './params.js';
import { PaymentProblem, keyInUse, problem } from './problems.js';
import { secretKeyIn } from './secret-key.js';
import { API_VERSION } from './version.js';

export interface ApiCall extends Caused {
  readonly call: Call;
  readonly params: Params;
  /** A segment of the path. */
  readonly path: (name: string) => string;
}

export interface Outcome {
  readonly value: object;
  readonly effect?: Effect;
}

type Handler = (call: ApiCall) => Outcome;

const MAX_KEY = 255;

/** A route of the API: key, version, parameters, idempotency key and the provider's format of refusals. */
export function apiRoute(
  payments: Payments,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  handle: Handler,
): Route {
  return {
    method,
    path: `/v1${path}`,
    async handle(call) {
      const requestId = newId('req', 14);
      const response = await answer(payments, method, call, requestId, handle);
      const key = call.headers['idempotency-key'];
      return withHeadersInPlace(response, {
        'request-id': requestId,
        'stripe-version': API_VERSION,
        ...(typeof key === 'string' && { 'idempotency-key': key }),
      });
    },
  };
}

async function answer(
  payments: Payments,
  method: Route['method'],
  call: Call,
  requestId: string,
  handle: Handler,
): Promise<SandboxResponse> {
  try {
    const caused = authenticate(payments, call, requestId);
    const given = call.headers['idempotency-key'];
    if (method !== 'POST' || typeof given !== 'string') return run(caused, call, handle);
    if (given.length > MAX_KEY)
      return problem(400, 'idempotency_error', 'Idempotency keys can be at most 255 characters.');
    return await once(payments, caused, given, call, handle);
  } catch (error) {
    if (error instanceof PaymentProblem) return error.response;
    throw error;
  }
}

/** @throws PaymentProblem */
function authenticate(payments: Payments, call: Call, requestId: string): Caused {
  const key = secretKeyIn(call);
  const account = payments.accounts.byKey(key ?? '');
  if (!account) {
    const shown = key === null ? '' : `: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
    throw new PaymentProblem(401, 'invalid_request_error', `Invalid API Key provided${shown}`);
  }
  const version = call.headers['stripe-version'];
  if (version !== undefined && version !== API_VERSION)
    throw new PaymentProblem(400, 'invalid_request_error', `Invalid Stripe API version: ${String(version)}`);
  const idempotencyKey = call.headers['idempotency-key'];
  return { account, requestId, idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null };
}

/** The first result again for a known key. Refused parameters are not kept, because nothing was executed. */
async function once(
  payments: Payments,
  caused: Caused,
  key: string,
  call: Call,
  handle: Handler,
): Promise<SandboxResponse> {
  const { results, settings } = payments;
  const known = results.look(caused.account.id, key, call);
  if (known.kind === 'in-progress') return keyInUse();
  if (known.kind === 'other-parameters')
    return problem(
      400,
      'idempotency_error',
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    );
  if (known.kind === 'first-result') return known.response;
  const end = results.begin(caused.account.id, key);
  try {
    if (settings.executionMs > 0) await sleep(settings.executionMs);
    const response = run(caused, call, handle);
    results.store(caused.account.id, key, call, caused.requestId ?? '', response);
    return response;
  } catch (error) {
    if (error instanceof PaymentProblem && error.isKept)
      results.store(caused.account.id, key, call, caused.requestId ?? '', error.response);
    throw error;
  } finally {
    end();
  }
}

function run(caused: Caused, call: Call, handle: Handler): SandboxResponse {
  const text = call.route.startsWith('GET') ? call.query.toString() : call.body;
  const params = new Params(parseForm(text));
  const path = (name: string): string => call.params[name] ?? '';
  const { value, effect } = handle({ ...caused, call, params, path });
  return { ...json(200, value), ...(effect && { effect }) };
}

/** The same object, because the result of a key is found by it when a fault replaces it. */
function withHeadersInPlace(response: SandboxResponse, headers: Record<string, string>): SandboxResponse {
  return Object.assign(response, withHeaders(response, headers));
}
