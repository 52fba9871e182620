import { setTimeout as sleep } from 'node:timers/promises';
import { json, type SandboxResponse, withHeaders } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import { type PaymentAccount, secretKeyIn } from '../state/accounts.js';
import { API_VERSION, newId } from '../state/objects.js';
import { AccountCall, type ApiCall, type Outcome, type Payments } from '../state/payments.js';
import type { Table } from '../../networks/kit/state/table.js';
import { Params, parseForm } from '../wire/params.js';
import { invalid, keyInUse, PaymentProblem, problem } from '../wire/problems.js';

type Handler = (call: ApiCall) => Outcome;
/** By method and path, such as `GET /products/:id`. */
export type Handlers = Readonly<Record<string, Handler>>;

const MAX_KEY = 255;

/** Routes of the API: key, version, parameters, idempotency key and the provider's format of refusals. */
export const apiRoutes = (payments: Payments, handlers: Handlers): Route[] =>
  Object.entries(handlers).map(([name, handle]) => {
    const [method, path] = name.split(' ') as ['GET' | 'POST' | 'DELETE', string];
    return {
      method,
      path: `/v1${path}`,
      async handle(call) {
        const requestId = newId('req', 14);
        const key = headerOf(call, 'idempotency-key');
        const response = await answer(payments, call, requestId, method === 'POST' ? key : null, handle);
        const headers = { 'request-id': requestId, 'stripe-version': API_VERSION };
        // The same object, because the result of a key is found by it when a fault replaces it.
        return Object.assign(
          response,
          withHeaders(response, { ...headers, ...(key !== null && { 'idempotency-key': key }) }),
        );
      },
    };
  });

const headerOf = ({ headers }: Call, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};

async function answer(
  payments: Payments,
  call: Call,
  requestId: string,
  key: string | null,
  handle: Handler,
): Promise<SandboxResponse> {
  try {
    const request = { id: requestId, idempotency_key: headerOf(call, 'idempotency-key') };
    const caused = new AccountCall(payments, authenticated(payments, call), call, request);
    if (key === null) return run(caused, handle);
    if (key.length > MAX_KEY)
      return problem(400, 'idempotency_error', 'Idempotency keys can be at most 255 characters.');
    return await once(caused, key, requestId, handle);
  } catch (error) {
    if (error instanceof PaymentProblem) return error.response;
    throw error;
  }
}

function authenticated(payments: Payments, call: Call): PaymentAccount {
  const key = secretKeyIn(call);
  const account = payments.accounts.byKey(key ?? '');
  if (!account) {
    const shown = key === null ? '' : `: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
    throw new PaymentProblem(401, 'invalid_request_error', `Invalid API Key provided${shown}`);
  }
  const version = call.headers['stripe-version'];
  if (version !== undefined && version !== API_VERSION)
    throw new PaymentProblem(400, 'invalid_request_error', `Invalid Stripe API version: ${String(version)}`);
  return account;
}

/** The first result again for a known key. Refused parameters are not kept, because nothing was executed. */
async function once(
  caused: AccountCall,
  key: string,
  requestId: string,
  handle: Handler,
): Promise<SandboxResponse> {
  const { account, call } = caused;
  const { results, settings } = caused.payments;
  const known = results.look(account.id, key, call);
  if (known.kind === 'in-progress') return keyInUse();
  if (known.kind === 'other-parameters')
    return problem(
      400,
      'idempotency_error',
      'Keys for idempotent requests can only be used with the same parameters they were first used with.',
    );
  if (known.kind === 'first-result') return known.response;
  const end = results.begin(account.id, key);
  try {
    if (settings.executionMs > 0) await sleep(settings.executionMs);
    const response = run(caused, handle);
    results.store(account.id, key, call, requestId, response);
    return response;
  } catch (error) {
    if (error instanceof PaymentProblem && error.isKept)
      results.store(account.id, key, call, requestId, error.response);
    throw error;
  } finally {
    end();
  }
}

function run(caused: AccountCall, handle: Handler): SandboxResponse {
  const { call } = caused;
  const text = call.route.startsWith('GET') ? call.query.toString() : call.body;
  const { value, effect } = handle(Object.assign(caused, { params: new Params(parseForm(text)) }));
  return { ...json(200, value), ...(effect && { effect }) };
}

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

interface Created {
  readonly id: string;
  readonly created: number;
  readonly isDeleted?: true;
}

/** `limit`, `starting_after`, `ending_before` and `created` of every list. @param filter a member that can be asked for */
export function listed<T extends Created>(
  { account, call, params }: ApiCall,
  table: Table<T>,
  filter?: keyof T & string,
): Outcome {
  const wanted = filter && params.text(filter);
  const limit = params.integer('limit', 1) ?? DEFAULT_LIMIT;
  if (limit > MAX_LIMIT) throw invalid('This value must be less than or equal to 100.', 'limit');
  const startingAfter = params.text('starting_after');
  const endingBefore = params.text('ending_before');
  const isCreated = createdIn(params);
  params.done();
  const all = table
    .allOf(account.id)
    .filter((each) => !each.isDeleted && isCreated(each))
    .filter((each) => !filter || wanted === undefined || each[filter] === wanted);
  const list = (data: T[], count: number): Outcome => {
    const url = call.route.slice('GET '.length);
    return { value: { object: 'list', data, has_more: count > limit, url } };
  };
  if (endingBefore !== undefined) {
    const end = all.findIndex(({ id }) => id === endingBefore);
    const before = all.slice(0, Math.max(0, end));
    return list(before.slice(-limit), before.length);
  }
  const from = startingAfter === undefined ? 0 : all.findIndex(({ id }) => id === startingAfter) + 1;
  return list(all.slice(from, from + limit), all.length - from);
}

function createdIn(params: Params): (value: Created) => boolean {
  const range = params.child('created');
  if (!range) return () => true;
  const gte = range.integer('gte') ?? 0;
  const lt = range.integer('lt') ?? Infinity;
  const lte = range.integer('lte') ?? Infinity;
  const gt = range.integer('gt') ?? -1;
  range.done();
  return ({ created }) => created >= gte && created > gt && created < lt && created <= lte;
}
