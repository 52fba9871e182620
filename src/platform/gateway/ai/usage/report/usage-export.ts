import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import { FairPlaces } from '#libs/concurrency';
import { domainError } from '#libs/errors';
import { BYTE_ORDER_MARK, csvText, formulaGuard } from '#libs/text';
import { USAGE_NAMES } from '../spend/quantities.js';
import type { Grouping, UsageQuery } from './usage-query.js';
import { MEMBER_OF, UsageSumsDto } from './usage-report.dto.js';
import { type ReportMoment, type UsageGroup, UsageReport } from './usage-report.js';

const STYLE = { delimiter: ',', guard: formulaGuard() };

/** Amounts are dollars. */
const COLUMNS = [
  ...(['calls', 'attempts', 'failed', 'unknown', 'estimated', 'unpriced', 'notSent'] as const),
  ...(['cost', 'uncertainCost', ...USAGE_NAMES] as const),
];

/** The first line, with a byte order mark. */
export function csvHeader(groupBy: readonly Grouping[]): string {
  const keys = groupBy.flatMap((one) => (one === 'application' ? ['applicationId', one] : [MEMBER_OF[one]]));
  return BYTE_ORDER_MARK + csvText([[...keys, ...COLUMNS]], STYLE);
}

export function csvRows(groupBy: readonly Grouping[], groups: readonly UsageGroup[]): string {
  const rows = groups.map(({ keys, application, ...counted }) => {
    const { usage, ...sums } = UsageSumsDto.of(counted);
    const values = { ...sums, ...usage };
    const shown = groupBy.flatMap((one, index) => {
      const key = keys[index] ?? '';
      return one === 'application' ? [key, application ?? ''] : [key];
    });
    return [...shown, ...COLUMNS.map((name) => String(values[name]))];
  });
  return csvText(rows, STYLE);
}

/** The limit of this process; other replicas may have room. */
class TooManyExports extends domainError('rate-limited', 'too_many_exports', (limit: number) => ({
  detail: `This process serves at most ${limit} concurrent exports, and has no room for it, or not beyond the share of the caller. Try again in a moment.`,
  retryAfterSeconds: 5,
})) {}

/** Of this process at one time: each has a connection and a snapshot of the database. */
const MOST_EXPORTS = 4;
/** Of one caller, while others want some. */
const SHARE = 0.5;

/** Reports as CSV. */
@Injectable()
export class UsageExport {
  private readonly places: FairPlaces;

  constructor(
    private readonly report: UsageReport,
    clock: Clock,
  ) {
    this.places = new FairPlaces(MOST_EXPORTS, SHARE, clock);
  }

  /** Groups are read as the text is. Destroying it ends the reading. @throws TooManyExports */
  csv(query: UsageQuery, moment: ReportMoment, callerId: string): Readable {
    const free = this.places.take(callerId);
    if (!free) throw new TooManyExports(MOST_EXPORTS);
    const text = new PassThrough();
    this.write(query, moment, text)
      .finally(free)
      .then(
        () => text.end(),
        (error: Error) => text.destroy(error),
      );
    return text;
  }

  private async write(query: UsageQuery, moment: ReportMoment, text: PassThrough): Promise<void> {
    const closed = new AbortController();
    text.once('close', () => closed.abort());
    const { signal } = closed;
    const take = async (part: string) => {
      signal.throwIfAborted();
      if (!text.write(part)) await once(text, 'drain', { signal });
    };
    await take(csvHeader(query.groupBy));
    await this.report.each(query, moment, (groups) => take(csvRows(query.groupBy, groups)));
  }
}
