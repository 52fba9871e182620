import type { Limit, Usage } from '../../kit/state/rate-windows.js';

const QUARTER_HOUR = 900;

/** Per user and route, as X's page on rate limits lists them. */
export const USER_LIMITS: Readonly<Record<string, Limit>> = {
  'POST /2/tweets': { limit: 100, windowSeconds: QUARTER_HOUR },
  'DELETE /2/tweets/:id': { limit: 50, windowSeconds: QUARTER_HOUR },
  'GET /2/tweets/:id': { limit: 900, windowSeconds: QUARTER_HOUR },
  'GET /2/users/:id/tweets': { limit: 900, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/media/upload': { limit: 1_000, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/initialize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/append': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/upload/:id/finalize': { limit: 1_875, windowSeconds: QUARTER_HOUR },
  'POST /2/media/metadata': { limit: 500, windowSeconds: QUARTER_HOUR },
  'GET /2/users/me': { limit: 75, windowSeconds: QUARTER_HOUR },
};

/** Posts of all users of one app together. */
export const APP_POST_LIMIT: Limit = { limit: 10_000, windowSeconds: 86_400 };

export function userLimitHeaders({ limit, remaining, reset }: Usage): Record<string, string> {
  return {
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-reset': String(reset),
  };
}

export function appLimitHeaders({ limit, remaining, reset }: Usage): Record<string, string> {
  return {
    'x-app-limit-24hour-limit': String(limit),
    'x-app-limit-24hour-remaining': String(remaining),
    'x-app-limit-24hour-reset': String(reset),
  };
}
