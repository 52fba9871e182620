import { HttpProblem } from '../problems/problem.js';
import { textsFor } from '../problems/status-texts.js';
import type { Allowance } from './leased-counter.js';
import type { RateLimitPolicy } from './rate-limit.js';

/** The refusal of a request over the limit: IANA's problem type, the policy and when to retry. */
export function limitReached(policy: RateLimitPolicy, { resetSeconds }: Allowance): HttpProblem {
  return new HttpProblem({
    status: 429,
    ...textsFor(429),
    detail: `More than ${policy.limit} requests in ${policy.windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    members: { 'violated-policies': [policy.name] },
    headers: { 'Retry-After': String(resetSeconds) },
  });
}
