import type { NanoDollars } from './spend-ledger.js';
import type { LimitWindow } from './spend.errors.js';

/** What a limit counts, and who set it. */
interface ScopeParts extends Pick<LimitWindow, 'scopeType' | 'setBy'> {
  /** null: all. */
  readonly organizationId: string | null;
  readonly applicationId: string | null;
}

/** @param scope one of `scopesOf` */
export function partsOf(scope: string): ScopeParts {
  const [scopeType, id = null, last = null] = scope.split(':');
  if (scopeType === 'organization')
    return {
      scopeType,
      setBy: last === null ? 'organization' : 'platform',
      organizationId: id,
      applicationId: null,
    };
  if (scopeType === 'application')
    return {
      scopeType,
      setBy: last === null ? 'platform' : 'organization',
      organizationId: last,
      applicationId: id,
    };
  return { scopeType: 'platform', setBy: 'platform', organizationId: null, applicationId: null };
}

export const SCOPE_TYPES = ['platform', 'organization', 'application'] as const;
export type ScopeType = (typeof SCOPE_TYPES)[number];

export const PERIODS = ['day', 'month'] as const;
/** UTC. */
export type Period = (typeof PERIODS)[number];

/** Who sets a limit, changes and deletes it. */
export const SETTERS = ['platform', 'organization'] as const;
export type Setter = (typeof SETTERS)[number];

/** The attempts that a limit counts. */
export interface SpendScope {
  readonly scopeType: ScopeType;
  /** `platform`, or the id of the organization or application. */
  readonly scopeValue: string;
  /** Whose attempts it counts; null: those of all organizations. */
  readonly organizationId: string | null;
  /** An organization can have two limits of a period: its own, and one that the platform set. */
  readonly setBy: Setter;
}

/** Whose audits tell of the limit; null is that of the platform. Those of the platform for an organization concern both. */
export const auditsOf = ({ organizationId, setBy }: SpendScope): readonly (string | null)[] =>
  setBy === 'platform' && organizationId !== null ? [organizationId, null] : [organizationId];

export interface SpendAmounts {
  /** Attempts that would exceed it are refused; null: none. */
  readonly hard: NanoDollars | null;
  /** Raises an alarm once in each window; null: none. Not above `hard`. */
  readonly soft: NanoDollars | null;
}

export interface NewSpendLimit extends SpendScope, SpendAmounts {
  readonly period: Period;
}

/** A window in which the soft limit was reached. */
export interface SoftLimitAlarm extends SpendScope {
  readonly limitId: string;
  readonly period: Period;
  /** The first day of the window, UTC. */
  readonly startsOn: string;
  readonly soft: NanoDollars;
  /** Of the whole window, until now. */
  readonly spent: NanoDollars;
  readonly raisedAt: Date;
}

export interface SpendLimit extends NewSpendLimit {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** In the current window: what settled attempts cost, and the estimates of running ones. */
  readonly spent: NanoDollars;
  readonly reserved: NanoDollars;
  /** The first day of the window, UTC. */
  readonly startsOn: string;
  readonly resetsAt: Date;
  /** When the soft limit was reached in this window. */
  readonly alarmedAt: Date | null;
}
