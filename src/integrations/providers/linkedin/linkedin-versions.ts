import type { ApiVersion } from '../../domain/network-limits.js';

/**
 * When LinkedIn stops serving a version: learn.microsoft.com/linkedin/marketing/integrations/migrations and api-evangelist/linkedin,
 * read 2026-11-21. LinkedIn publishes a version each month, serves it for at least twelve months, and answers 426 afterwards.
 */
const ENDS: Readonly<Record<string, string>> = {
  '202511': '2026-11-16T00:00:00.000Z',
  '202601': '2027-01-15T00:00:00.000Z',
  '202602': '2027-02-15T00:00:00.000Z',
  '202603': '2027-03-16T00:00:00.000Z',
};

/** Of a version whose end is not announced, the earliest: the middle of its month a year later, like the announced ones. */
export const apiVersionOf = (name: string): ApiVersion => ({ name, endsAt: ENDS[name] ?? earliestEnd(name) });

function earliestEnd(name: string): string | null {
  const [, year, month] = /^(20\d\d)(0[1-9]|1[0-2])$/.exec(name) ?? [];
  return year && month ? `${Number(year) + 1}-${month}-15T00:00:00.000Z` : null;
}
