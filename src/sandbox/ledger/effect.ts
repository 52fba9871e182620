export interface AccountName {
  readonly id: string;
  readonly username: string;
}

/** One accepted change in the network. The product must never cause two for one intention. */
export interface Effect {
  /** Counts up by one; never reused. */
  readonly sequence: number;
  readonly network: string;
  /** What happened, such as `post.created`. */
  readonly kind: string;
  readonly at: string;
  readonly account: AccountName;
  /** The id the network gave. */
  readonly id: string;
  /** The text exactly as it was sent. */
  readonly text: string | null;
  readonly inReplyTo: string | null;
  readonly host: string;
  /** First digits of the SHA-256 of the access token that was used. */
  readonly token: string;
  /** Headers by which a client may have marked the call: idempotency key, request and trace ids. */
  readonly hints: Readonly<Record<string, string>>;
  /** `yes`, or the fault that suppressed the response. */
  answered: string;
}

const HINT_HEADERS = [
  'idempotency-key',
  'x-request-id',
  'x-client-transaction-id',
  'traceparent',
  'user-agent',
];

export function hintsIn(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const hints: Record<string, string> = {};
  for (const name of HINT_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') hints[name] = value;
  }
  return hints;
}
