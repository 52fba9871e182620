import { createHash } from 'node:crypto';
import type { Clock } from '#libs/clock';
import type { Journal } from '../../ledger/journal.js';
import { Records } from '../../networks/kit/state/records.js';
import type { SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';

const KEPT_MS = 24 * 3_600_000;

interface FirstResult {
  readonly id: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly status: number;
  readonly body: string;
  readonly requestId: string;
}

export type Known =
  | { readonly kind: 'new' }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'other-parameters' }
  | { readonly kind: 'first-result'; readonly response: SandboxResponse };

/** Results by idempotency key, for 24 hours. */
export class FirstResults extends Records<FirstResult> {
  private readonly inProgress = new Set<string>();
  private readonly keyOf = new WeakMap<SandboxResponse, FirstResult>();

  constructor(
    journal: Pick<Journal, 'append'>,
    private readonly clock: Clock,
    capacity: number,
  ) {
    super(journal, 'payments.result', { capacity });
  }

  look(account: string, key: string, call: Call): Known {
    const id = idOf(account, key);
    if (this.inProgress.has(id)) return { kind: 'in-progress' };
    const first = this.find(id);
    if (!first || first.at + KEPT_MS <= this.clock.now().getTime()) return { kind: 'new' };
    if (first.fingerprint !== fingerprintOf(call)) return { kind: 'other-parameters' };
    return { kind: 'first-result', response: replayed(first) };
  }

  begin(account: string, key: string): () => void {
    const id = idOf(account, key);
    this.inProgress.add(id);
    return () => this.inProgress.delete(id);
  }

  store(account: string, key: string, call: Call, requestId: string, response: SandboxResponse): void {
    const { status, body } = response;
    const at = this.clock.now().getTime();
    const result = { id: idOf(account, key), fingerprint: fingerprintOf(call), at, status, body, requestId };
    this.keyOf.set(response, this.keep(result));
  }

  /** A server error was sent in place of a response: it is what a repeated key gets from now on. */
  replace(response: SandboxResponse, { status, body }: SandboxResponse): void {
    const first = this.keyOf.get(response);
    if (first) this.keep({ ...first, status, body });
  }
}

const idOf = (account: string, key: string): string => `${account}:${key}`;

function fingerprintOf(call: Call): string {
  const form = [...call.form].sort(([left], [right]) => (left < right ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([call.route, call.params, form]))
    .digest('hex');
}

const replayed = ({ status, body, requestId }: FirstResult): SandboxResponse => ({
  status,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'idempotent-replayed': 'true',
    'original-request': requestId,
  },
  body,
});
