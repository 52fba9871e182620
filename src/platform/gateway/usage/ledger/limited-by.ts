import type { LimitWindow } from '../spend.errors.js';

const SET_BY_PLATFORM = /^(platform|organization:[^:]+:platform|application:[^:]+)$/;

/** Whose limit has the scope. @param scope one of `scopesOf` */
export const limitedBy = (scope: string): Pick<LimitWindow, 'scopeType' | 'setBy'> => ({
  scopeType: scope.split(':')[0] as LimitWindow['scopeType'],
  setBy: SET_BY_PLATFORM.test(scope) ? 'platform' : 'organization',
});
