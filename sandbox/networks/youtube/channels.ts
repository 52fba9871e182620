import type { Route } from '../../wire/router.js';
import type { Call } from '../../wire/call.js';
import { type Handled, json, type SandboxResponse } from '../../wire/response.js';
import type { Caller } from '../kit/network.js';
import { authError, googleError } from './google-errors.js';
import type { Youtube, YoutubeAccount } from './youtube.js';

export type YoutubeCaller = Caller<YoutubeAccount>;

type Handle = (youtube: Youtube, call: Call, caller: YoutubeCaller) => Handled;

const ALL = 'https://www.googleapis.com/auth/youtube';

/** A route for an access token whose grant has the scope, or the one for everything. */
export const signedIn = (
  youtube: Youtube,
  method: Route['method'],
  path: string,
  scope: 'youtube.upload' | 'youtube.readonly',
  handle: Handle,
): Route => ({
  method,
  path,
  handle(call) {
    const caller = youtube.callerOf(call);
    if (!caller) return authError();
    const { scopes } = caller.grant;
    if (!scopes.includes(ALL) && !scopes.includes(`https://www.googleapis.com/auth/${scope}`))
      return googleError(403, 'insufficientPermissions', { domain: 'global' });
    return caller.account.suspended
      ? googleError(403, 'authenticatedUserAccountSuspended')
      : handle(youtube, call, caller);
  },
});

/** GET /youtube/v3/channels?mine=true. Without a channel, `items` is absent, as at YouTube. */
export function listChannels(youtube: Youtube, call: Call, { account }: YoutubeCaller): SandboxResponse {
  if (call.query.get('mine') !== 'true')
    return googleError(400, 'missingRequiredParameter', { domain: 'youtube.parameter' });
  const parts = (call.query.get('part') ?? '').split(',');
  if (!parts.includes('snippet')) return googleError(400, 'unknownPart', { domain: 'youtube.part' });
  const page = { kind: 'youtube#channelListResponse', etag: account.id };
  const count = account.hasChannel ? 1 : 0;
  const pageInfo = { totalResults: count, resultsPerPage: 5 };
  if (!account.hasChannel) return json(200, { ...page, pageInfo });
  return json(200, { ...page, pageInfo, items: [channelView(youtube, account)] });
}

function channelView(youtube: Youtube, account: YoutubeCaller['account']) {
  const url = youtube.baseUrl + youtube.avatarPath(account);
  return {
    kind: 'youtube#channel',
    etag: account.id,
    id: account.id,
    snippet: {
      title: account.name,
      description: account.description,
      customUrl: `@${account.username}`,
      publishedAt: account.createdAt,
      thumbnails: { default: { url, width: 88, height: 88 } },
    },
    statistics: { videoCount: String(youtube.posts.by(account.id).length) },
  };
}
