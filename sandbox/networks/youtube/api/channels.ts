import { json, type SandboxResponse } from '../../../wire/response.js';
import type { Call } from '../../../wire/call.js';
import type { Youtube } from '../state/youtube.js';
import { googleError } from '../state/google-errors.js';
import type { YoutubeCaller } from './signed-in.js';

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
