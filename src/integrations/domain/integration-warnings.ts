import type { FailureReport, Instant } from '#libs/content';
import type { GrantHealth } from './grant-health.js';
import type { ApiVersion } from './network-limits.js';

export interface IntegrationWarning {
  /** Stable, snake_case. */
  readonly code: 'api_version_ends' | 'api_version_ended' | 'grant_ends' | 'grant_ended' | 'service_refused';
  readonly message: string;
  /** When it ends, ended or began; null: not known. */
  readonly at: Instant | null;
}

/** @param refusal undefined: the network accepts this service */
export const refusalWarnings = (
  refusal: { readonly since: Instant; readonly failure: FailureReport } | undefined,
): IntegrationWarning[] =>
  refusal
    ? [
        {
          code: 'service_refused',
          message: `${refusal.failure.message} Posts wait. ${refusal.failure.nextStep}`,
          at: refusal.since,
        },
      ]
    : [];

/** @param warnMs how long ahead */
export function versionWarnings(
  displayName: string,
  version: ApiVersion | null,
  warnMs: number,
  now: Date,
): IntegrationWarning[] {
  if (version?.endsAt == null) return [];
  const { name, endsAt: at } = version;
  const leftMs = Date.parse(at) - now.getTime();
  if (leftMs > warnMs) return [];
  const day = at.slice(0, 10);
  return leftMs <= 0
    ? [
        {
          code: 'api_version_ended',
          message: `${displayName} ended version ${name} of its interface on ${day}. An operator has to configure a newer version.`,
          at,
        },
      ]
    : [
        {
          code: 'api_version_ends',
          message: `${displayName} ends version ${name} of its interface on ${day}. An operator has to configure a newer version before.`,
          at,
        },
      ];
}

export function grantWarnings(displayName: string, { state, endsAt: at }: GrantHealth): IntegrationWarning[] {
  switch (state) {
    case 'healthy':
      return [];
    case 'ends-soon':
      return [
        {
          code: 'grant_ends',
          message: `The connection to ${displayName} ends on ${at?.slice(0, 10)}. Connect the account again before.`,
          at,
        },
      ];
    case 'ended':
      return [
        {
          code: 'grant_ended',
          message: `The connection to ${displayName} has ended. Connect the account again.`,
          at,
        },
      ];
  }
}
