import { RequestIsNotValid } from '#libs/http';
import type { RollupLevel } from '../rollups/measures.sql.js';

/** What rows of a report can be told apart by. */
export const GROUPINGS = [
  'day',
  'month',
  'organization',
  'application',
  'user',
  'capability',
  'provider',
  'model',
  'credential',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Each null or absent: any. */
export interface UsageFilters {
  /** null: all organizations. */
  readonly organizationIds: readonly string[] | null;
  readonly applicationId?: string;
  readonly userId?: string;
  readonly capability?: string;
  readonly provider?: string;
  /** `provider/model`. */
  readonly model?: string;
  readonly credentialId?: string;
}

export interface UsageQuery {
  readonly groupBy: readonly Grouping[];
  /** First and last day, UTC: `2026-11-01`. */
  readonly from: string;
  readonly to: string;
  readonly filters: UsageFilters;
}

/** The level with the fewest rows that has all columns of the query. */
export function levelOf({ groupBy, filters }: UsageQuery): RollupLevel {
  const isOf = (...groupings: readonly Grouping[]) => groupings.some((each) => groupBy.includes(each));
  const isOfCredentials = isOf('credential') || filters.credentialId !== undefined;
  if (isOf('user') || filters.userId !== undefined) {
    const { capability, provider, model } = filters;
    const isOfModels =
      isOf('capability', 'provider', 'model') || (capability ?? provider ?? model) !== undefined;
    return isOfModels || isOfCredentials ? 'detail' : 'user';
  }
  const isOfOrganizations = isOf('organization') || filters.organizationIds !== null;
  return isOfOrganizations || isOfCredentials ? 'organization' : 'platform';
}

/** First days of rollups, both inclusive; null: none. */
interface Range {
  readonly from: string;
  readonly to: string;
}

export interface RollupRanges {
  readonly months: Range | null;
  readonly days: readonly Range[];
}

/**
 * Months that the period covers are read as months, unless days are told apart; the rest of the period as days.
 * @param today a month that lasts until today or longer is covered
 */
export function rangesOf({ groupBy, from, to }: UsageQuery, today: string): RollupRanges {
  const wholeDays = { months: null, days: [{ from, to }] };
  if (groupBy.includes('day')) return wholeDays;
  const first = from.endsWith('-01') ? from : nextMonth(from);
  const last = to >= today || nextDay(to).endsWith('-01') ? monthOf(to) : previousMonth(to);
  if (first > last) return wholeDays;
  return {
    months: { from: first, to: last },
    days: [
      { from, to: previousDay(first) },
      { from: nextMonth(last), to },
    ].filter((range) => range.from <= range.to),
  };
}

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;
const nextDay = (day: string): string => shifted(day, (date) => date.setUTCDate(date.getUTCDate() + 1));
const previousDay = (day: string): string => shifted(day, (date) => date.setUTCDate(date.getUTCDate() - 1));
const nextMonth = (day: string): string =>
  shifted(monthOf(day), (date) => date.setUTCMonth(date.getUTCMonth() + 1));
const previousMonth = (day: string): string =>
  shifted(monthOf(day), (date) => date.setUTCMonth(date.getUTCMonth() - 1));

function shifted(day: string, shift: (date: Date) => void): string {
  const date = new Date(`${day}T00:00:00Z`);
  shift(date);
  return date.toISOString().slice(0, 10);
}

/** Days of a report, UTC. */
interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

/** Ten years: more days are cut off at the start. */
const MOST_DAYS = 3_660;
const DAY_MS = 86_400_000;
/** Each page adds up all groups: 2 000 people have 14 000 in so many days. */
const MOST_DAYS_OF_ALL_PEOPLE = 7;

/** Default: the current month until today. A period that ends before it starts is empty. @param today UTC */
export function periodOf({ from, to }: { from?: string; to?: string }, today: string): ReportPeriod {
  const last = to ?? today;
  const first = from ?? `${(last < today ? last : today).slice(0, 7)}-01`;
  const earliest = new Date(Date.parse(last) - (MOST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  return { from: first < earliest ? earliest : first, to: last };
}

/** For pages; an export adds up once. @throws RequestIsNotValid when people of all organizations are told apart on too many days */
export function assertFewGroups({ groupBy, from, to, filters }: UsageQuery): void {
  const isOfAllPeople = filters.organizationIds === null && filters.userId === undefined;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (!isOfAllPeople || !groupBy.includes('user') || !groupBy.includes('day')) return;
  if (days > MOST_DAYS_OF_ALL_PEOPLE)
    throw new RequestIsNotValid([
      {
        parameter: 'from',
        code: 'period_too_long',
        detail: `must be at most ${MOST_DAYS_OF_ALL_PEOPLE} days for the people of all organizations by day; name an organization, or use the export`,
      },
    ]);
}

/** `2026-11-01`; undefined for anything else. */
export function dayOf(text: string): string | undefined {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined;
}
