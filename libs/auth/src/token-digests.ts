import { createHash, timingSafeEqual } from 'node:crypto';

/** Configured tokens, compared in constant time. */
export class TokenDigests {
  private readonly digests: readonly Buffer[];

  /** @param tokens empty ones are ignored; without others, no token is accepted */
  constructor(tokens: readonly string[]) {
    this.digests = tokens.filter((token) => token !== '').map(digest);
  }

  /** Compares all tokens, even after a match. */
  has(token: string): boolean {
    const sent = digest(token);
    return this.digests.filter((one) => timingSafeEqual(one, sent)).length > 0;
  }
}

/** Has a fixed length. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
