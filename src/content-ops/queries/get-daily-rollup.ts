import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Clock } from '#libs/clock';
import { Database } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { type Counts, NO_ACTIVITY } from '../domain/activity.js';
import { type CalendarDay, calendarDays, dateIn, dayRange, isTimeZone } from '../domain/calendar-days.js';
import { readRollup } from '../daily/daily-rollup.js';

export interface RollupRequest {
  /** In the order of the response. */
  readonly brands: readonly { readonly id: string; readonly timezone: string }[];
  /** First and last day, YYYY-MM-DD; dayRange handles other values. */
  readonly from?: string;
  readonly to?: string;
  /** Time zone of the days; default: the zone of each brand. */
  readonly timezone?: string;
}

export interface BrandDayCounts extends Counts {
  readonly date: string;
  readonly brandId: string;
  readonly timezone: string;
}

/** All requested days of every brand, those without activity included; equal counts give equal bytes of JSON. */
export class GetDailyRollup extends RequestQuery<RollupRequest, BrandDayCounts[]> {}

@QueryHandler(GetDailyRollup)
export class GetDailyRollupHandler implements IQueryHandler<GetDailyRollup> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ request }: GetDailyRollup): Promise<BrandDayCounts[]> {
    const daysOf = this.daysByZone(request);
    const days = request.brands.flatMap((brand) => {
      const timezone = zoneOf(brand.timezone, request.timezone);
      return daysOf(timezone).map((day) => ({ ...day, brandId: brand.id, timezone }));
    });
    const counts = await readRollup(this.database, days);
    return days.map(({ date, brandId, timezone }, index) => ({
      date,
      brandId,
      timezone,
      ...(counts[index] ?? NO_ACTIVITY),
    }));
  }

  /** Cached, because brands mostly share a few zones. */
  private daysByZone(request: RollupRequest): (zone: string) => CalendarDay[] {
    const now = this.clock.now();
    const known = new Map<string, CalendarDay[]>();
    return (zone) => {
      const { from, to } = dayRange(request, dateIn(zone, now));
      const days = known.get(zone) ?? calendarDays(zone, from, to);
      known.set(zone, days);
      return days;
    };
  }
}

function zoneOf(brandZone: string, asked: string | undefined): string {
  if (asked !== undefined && isTimeZone(asked)) return asked;
  return isTimeZone(brandZone) ? brandZone : 'UTC';
}
