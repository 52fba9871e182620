import { createHash, timingSafeEqual } from 'node:crypto';

/** Configured tokens, compared without telling by the time how near a sent one comes. */
export class TokenDigests {
  private readonly digests: readonly Buffer[];

  /** @param tokens without any, or with empty ones only, no token is accepted. */
  constructor(tokens: readonly string[]) {
    this.digests = tokens.filter((token) => token !== '').map(digest);
  }

  /** All are compared, also after one is equal. */
  has(token: string): boolean {
    const sent = digest(token);
    return this.digests.filter((one) => timingSafeEqual(one, sent)).length > 0;
  }
}

/** Of one length, whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
