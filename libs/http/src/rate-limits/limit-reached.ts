import { HttpProblem } from '../problems/problem.js';
import { wordsFor } from '../problems/status-words.js';
import type { Allowance } from './leased-counter.js';
import type { RateLimitPolicy } from './rate-limit.js';

/** The answer to a request too many: IANA's problem type, which policy, and when to come back. */
export function limitReached(policy: RateLimitPolicy, { resetSeconds }: Allowance): HttpProblem {
  return new HttpProblem({
    status: 429,
    ...wordsFor(429),
    detail: `More than ${policy.limit} requests in ${policy.windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': [policy.name] },
    headers: { 'Retry-After': String(resetSeconds) },
  });
}
