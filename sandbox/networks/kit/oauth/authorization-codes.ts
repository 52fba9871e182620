import { hash } from 'node:crypto';
import type { Clock } from '#libs/clock';
import { digest, isSame } from '../state/digests.js';

const MAX_CODES = 10_000;

export interface CodeBinding {
  readonly accountId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** RFC 7636; null: the app sent none. */
  readonly challenge: string | null;
  readonly challengeMethod: 'S256' | 'plain';
  /** Parameters of the network's own, such as `access_type`. */
  readonly extras: Readonly<Record<string, string>>;
}

/** Codes between the consent and the exchange; each is redeemed at most once, and never outlives a restart. */
export class AuthorizationCodes {
  private readonly codes = new Map<string, CodeBinding & { readonly until: number }>();

  /** @param seconds of their lifetime */
  constructor(
    private readonly clock: Clock,
    private readonly seconds: number,
    private readonly newCode: () => string,
  ) {}

  issue(binding: CodeBinding): string {
    const now = this.clock.now().getTime();
    for (const [key, { until }] of this.codes) {
      if (until > now && this.codes.size < MAX_CODES) break;
      this.codes.delete(key);
    }
    const code = this.newCode();
    this.codes.set(digest(code), { ...binding, until: now + this.seconds * 1000 });
    return code;
  }

  /** Whose code it is, while it can still be redeemed. */
  peek(code: string): CodeBinding | undefined {
    return this.codes.get(digest(code));
  }

  /** Removes the code, even if the exchange fails. */
  redeem(code: string): CodeBinding | undefined {
    const key = digest(code);
    const binding = this.codes.get(key);
    this.codes.delete(key);
    return binding && binding.until > this.clock.now().getTime() ? binding : undefined;
  }
}

/** RFC 7636. A code that was asked for without a challenge needs no verifier. */
export function verifies(verifier: string, { challenge, challengeMethod }: CodeBinding): boolean {
  if (challenge === null) return true;
  const derived = challengeMethod === 'S256' ? hash('sha256', verifier, 'base64url') : verifier;
  return isSame(derived, challenge);
}
