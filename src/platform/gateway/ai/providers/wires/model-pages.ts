import { type Failure, failureOf } from './failure.js';
import { type AiHttp, exchange, isSuccess, type Reply } from './exchange.js';
import type { Asked, Calling, ListedModel } from './wire.js';

/** More than any provider has; reading a list that never ends must end here. */
const MAX_PAGES = 50;

export interface ModelsPage {
  readonly models: readonly ListedModel[];
  /** To ask for the next page with; null: this is the last one. */
  readonly next: string | null;
}

export interface PagedModels {
  readonly headers: Readonly<Record<string, string>>;
  /** @param after null for the first page */
  readonly path: (after: string | null) => string;
  /** null: not readable. */
  readonly read: (body: unknown) => ModelsPage | null;
  readonly failure: (reply: Reply, secret: string) => Failure;
}

/** All pages of a list of models. A failure of one of them, and a list that does not end, are a failure of the whole. */
export async function allModels(
  http: AiHttp,
  call: Calling,
  { headers, path, read, failure }: PagedModels,
): Promise<Asked<readonly ListedModel[]>> {
  const { secret } = call;
  const models: ListedModel[] = [];
  let after: string | null = null;
  let status: number | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const exchanged = await exchange(http, call, { method: 'GET', path: path(after), headers });
    if (exchanged.kind === 'failed') return exchanged;
    const { reply } = exchanged;
    const found = isSuccess(reply.status) ? read(reply.body) : null;
    if (!found) return { kind: 'failed', failure: failure(reply, secret) };
    models.push(...found.models);
    if (found.next === null) return { kind: 'answered', value: models };
    ({ status } = reply);
    if (found.next === after) break;
    after = found.next;
  }
  return { kind: 'failed', failure: failureOf('unreadable', { status, code: 'LIST_NOT_WHOLE', secret }) };
}
