import { hash } from 'node:crypto';
import { html } from '#libs/pages';
import type { Call } from '../../../wire/call.js';
import { json, page, type SandboxResponse } from '../../../wire/response.js';
import { type Route, Router } from '../../../wire/router.js';
import type { Site } from '../../../wire/site.js';
import type { MediaContent } from '../media/media-content.js';
import type { SocialNetwork } from '../network.js';
import type { SandboxAccount, SandboxPost } from '../state/accounts.js';
import type { Timeline } from './shown-post.js';
import { nothingHerePage, postPage, timelinePage } from './timeline.page.js';

/** A disc in the account's own colour with the initials of its name. */
function avatar(account: SandboxAccount): SandboxResponse {
  const hue = Number.parseInt(hash('sha256', account.username, 'hex').slice(0, 4), 16) % 360;
  const initials = account.name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase();
  const image = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">
    <rect width="96" height="96" fill="hsl(${hue} 55% 42%)" />
    <text
      x="48"
      y="49"
      fill="#fff"
      font-family="system-ui, sans-serif"
      font-size="38"
      font-weight="600"
      text-anchor="middle"
      dominant-baseline="central"
    >
      ${initials}
    </text>
  </svg>`;
  return {
    status: 200,
    headers: {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'max-age=3600',
    },
    body: image.text,
  };
}

/** The bytes of a file that a post shows, whole or one range of them. @param rangeHeader of the request */
function mediaFile(
  path: string,
  content: Pick<MediaContent, 'bytes' | 'contentType'>,
  rangeHeader: string | undefined,
): SandboxResponse {
  const headers = {
    // Browsers play QuickTime under the name of MP4 only.
    'content-type': content.contentType.replace('video/quicktime', 'video/mp4'),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=300',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  };
  const whole = { path, start: 0, end: content.bytes - 1 };
  const range = rangeIn(rangeHeader, content.bytes);
  if (range === 'none') return { status: 200, headers, body: '', file: whole };
  if (range === null)
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${content.bytes}` }, body: '' };
  const shown = `bytes ${range.start}-${range.end}/${content.bytes}`;
  return { status: 206, headers: { ...headers, 'content-range': shown }, body: '', file: { path, ...range } };
}

/** One range of RFC 9110, section 14; several are answered with the whole file. null: not in the file. */
function rangeIn(header: string | undefined, bytes: number): { start: number; end: number } | 'none' | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'none';
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return start <= end && start < bytes ? { start, end } : null;
}

/** `/i/avatars/{username}.svg`, `/i/media/{id}` and `/{username}`. A network adds the addresses of single posts before them. */
export function timelineRoutes<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
): Route[] {
  return [
    { method: 'GET', path: '/i/avatars/:file', handle: (call) => showAvatar(network, call) },
    { method: 'GET', path: '/i/media/:id', handle: (call) => showFile(network, timeline, call) },
    { method: 'GET', path: '/:username', handle: (call) => showTimeline(network, timeline, call) },
  ];
}

export const nothingHere = (network: SocialNetwork): SandboxResponse => page(404, nothingHerePage(network));

export function showPost<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  post: P | undefined,
): SandboxResponse {
  const account = post && network.accounts.find(post.authorId);
  return account ? page(200, postPage(network, timeline, account, post)) : nothingHere(network);
}

function showTimeline<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  call: Call,
): SandboxResponse {
  const account = network.accounts.byUsername((call.params.username ?? '').replace(/^@/, ''));
  return account ? page(200, timelinePage(network, timeline, account)) : nothingHere(network);
}

function showAvatar(network: SocialNetwork, call: Call): SandboxResponse {
  const username = /^(.+)\.svg$/.exec(call.params.file ?? '')?.[1];
  const account = username === undefined ? undefined : network.accounts.byUsername(username);
  return account ? avatar(account) : nothingHere(network);
}

function showFile<A extends SandboxAccount, P extends SandboxPost>(
  network: SocialNetwork<A, object, P>,
  timeline: Timeline<A, P>,
  call: Call,
): SandboxResponse {
  const file = timeline.file(call.params.id ?? '');
  return file ? mediaFile(file.path, file.content, call.headers.range) : nothingHere(network);
}

export const webSite = (
  network: SocialNetwork,
  standsFor: string,
  routes: readonly Route[],
  { prefix, host }: Pick<Site, 'prefix' | 'host'> = { prefix: network.webPrefix, host: 'web' },
): Site => ({
  prefix,
  host,
  standsFor,
  router: new Router(routes),
  refuse: (status) => (status === 404 ? nothingHere(network) : json(status, {})),
});
