import type { LimitWindow } from '../spend/spend.errors.js';

/** What a limit counts, and who set it. */
export interface ScopeParts extends Pick<LimitWindow, 'scopeType' | 'setBy'> {
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
