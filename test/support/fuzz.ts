import fc from 'fast-check';
import { type ApiResponse, ask } from './call.js';
import { type HostileRequest, requestsTo } from './hostile-requests.js';
import type { Operation } from './operations.js';
import type { Walk } from './walk.js';

/**
 * The same requests in every run, so that runs are reproducible. Test more with
 * `FUZZ_SEED=… FUZZ_RUNS=…`; a failure prints the seed and the smallest request it was seen with.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
const RUNS = Number(process.env.FUZZ_RUNS ?? 8);

/** Sends hostile requests to one operation. @throws Error for an undocumented response; @returns statuses */
export async function fuzz(
  walk: Walk,
  operation: Operation,
  headers: Readonly<Record<string, string>>,
): Promise<number[]> {
  const statuses: number[] = [];
  const requests = requestsTo(operation, walk.served, () => walk.things.body(operation));
  const property = fc.asyncProperty(requests, async (request) => {
    const answer = await send(walk, operation, headers, request);
    statuses.push(answer.status);
    walk.verdicts.isFine(operation, answer);
    const faults = walk.verdicts.taken();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  });
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
  return statuses;
}

async function send(
  walk: Walk,
  operation: Operation,
  headers: Readonly<Record<string, string>>,
  { ids, query, headers: more, body }: HostileRequest,
): Promise<ApiResponse> {
  const [good = '', required = ''] = (await walk.things.address(operation)).split('?');
  const template = operation.path.split('/');
  const path = good.split('/').map((part, index) => {
    const strange = ids[template[index]?.slice(1, -1) ?? ''];
    return strange === undefined ? part : oneStep(strange);
  });
  const sent = query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
  return ask(`${walk.url}${path.join('/')}?${[required, ...sent].filter(Boolean).join('&')}`, {
    method: operation.method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...more, ...headers },
    body,
  });
}

/** Lone surrogates cannot be percent-encoded, so they are sent as their three bytes in WTF-8. */
function escaped(text: string): string {
  return [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('');
}

/** An empty segment or dots would address another operation. */
function oneStep(text: string): string {
  return /^\.{0,2}$/.test(text) ? `-${text}` : escaped(text);
}
