import type { Limit } from '../../kit/state/rate-windows.js';

const perMinute = (limit: number): Limit => ({ limit, windowSeconds: 60 });

/** Per account and route: reference pages of the content posting API and tiktok-api-v2-rate-limit. */
export const ROUTE_LIMITS: Readonly<Record<string, Limit>> = {
  'GET /v2/user/info/': perMinute(600),
  'POST /v2/post/publish/creator_info/query/': perMinute(20),
  'POST /v2/post/publish/video/init/': perMinute(6),
  'POST /v2/post/publish/content/init/': perMinute(6),
  'POST /v2/post/publish/status/fetch/': perMinute(30),
};
