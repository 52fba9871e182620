export interface AccountName {
  readonly id: string;
  readonly username: string;
}

/** A file that is part of an effect. Members that its step does not know are absent. */
export interface EffectMedia {
  /** The network's name for its use, such as `tweet_image`. */
  readonly category: string;
  readonly bytes: number;
  /** Of one part of an upload. */
  readonly segment?: number;
  /** Of the whole file, hexadecimal. */
  readonly sha256?: string;
  readonly contentType?: string;
  /** As decoded. */
  readonly width?: number;
  readonly height?: number;
  readonly frames?: number | null;
  readonly durationMs?: number | null;
  readonly altText?: string;
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
  /** Absent: none. */
  readonly media?: readonly EffectMedia[];
  /** The network was told that a model made it, by its own flag. */
  readonly madeWithAi?: true;
  /** Addresses that a message was accepted for. Absent: the effect is no message. */
  readonly recipients?: readonly string[];
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
