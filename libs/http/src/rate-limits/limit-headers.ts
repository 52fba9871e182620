import type { Response } from 'express';
import type { Allowance } from './leased-counter.js';
import type { RateLimitPolicy } from './rate-limit.js';

/** Of several limits, of that of which least is left. The IETF draft's fields (draft-ietf-httpapi-ratelimit-headers-11) and those that older clients read. */
export function writeLimitHeaders(
  response: Response,
  policy: RateLimitPolicy,
  { remaining, resetSeconds }: Allowance,
): void {
  if (remaining > Number(response.getHeader('X-RateLimit-Remaining') ?? Infinity)) return;
  response.setHeader('RateLimit-Policy', `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`);
  response.setHeader('RateLimit', `"${policy.name}";r=${remaining};t=${resetSeconds}`);
  response.setHeader('X-RateLimit-Limit', policy.limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetSeconds);
}
