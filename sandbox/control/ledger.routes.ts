import type { EffectFilter, Ledger } from '../ledger/ledger.js';
import { json } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import type { Route } from '../wire/router.js';
import { ControlRequestIsInvalid, controlRoute } from '../wire/control-request.js';

const MAX_PAGE = 10_000;

/**
 * `GET /_sandbox/ledger` lists effects, oldest first: filters network, kind, account, text, contains, since, after
 * (a sequence number) and limit. `GET /_sandbox/ledger/counts` takes the same filters and counts created posts by text,
 * for tests of "none lost, none twice".
 */
export function ledgerRoutes(ledger: Ledger): Route[] {
  return [
    controlRoute('GET', '/ledger', (call) => {
      const limit = wholeNumber(call.query, 'limit') ?? 1_000;
      const filter = filterIn(call);
      const data = [...ledger.matching(filter).take(Math.min(limit, MAX_PAGE))];
      return json(200, { data, total: ledger.size, forgotten: ledger.forgotten });
    }),
    controlRoute('GET', '/ledger/counts', (call) => {
      const filter = { kind: 'post.created', ...filterIn(call) };
      return json(200, { ...ledger.counts(filter), forgotten: ledger.forgotten });
    }),
  ];
}

function filterIn({ query }: Call): EffectFilter {
  const since = query.get('since');
  if (since !== null && Number.isNaN(Date.parse(since)))
    throw new ControlRequestIsInvalid('since must be an instant.');
  const filter: Record<string, string | number> = {};
  for (const name of ['network', 'kind', 'account', 'text', 'contains']) {
    const value = query.get(name);
    if (value !== null) filter[name] = value;
  }
  const after = wholeNumber(query, 'after');
  if (after !== undefined) filter.after = after;
  if (since !== null) filter.since = new Date(since).toISOString();
  return filter;
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,12}$/.test(text)) throw new ControlRequestIsInvalid(`${name} must be a whole number.`);
  return Number(text);
}
