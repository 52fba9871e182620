import { createHash, randomUUID } from 'node:crypto';
import { get, type Member, type Operations, pages, someTime, type Work } from './member.js';
import type { PostState } from './posts-in-states.js';

const DAY_MS = 86_400_000;
const newPost = ({ brandId }: Member, more: object = {}) => ({
  ...{ brandId, platform: 'x', text: `Post ${randomUUID()}` },
  ...more,
});
const TODAY = () => new Date().toISOString().slice(0, 10);
const onTheNextDay: Work = (member) => {
  const [from, to] = [Date.now(), Date.now() + DAY_MS].map((at) => new Date(at).toISOString());
  return member.ask('GET', `/api/posts?from=${from}&to=${to}`);
};

/** An action on a post that no other operation has changed. */
const act =
  (state: PostState, action: string, body: () => object = () => ({})): Work =>
  async (member) =>
    member.ask('POST', `/api/content-ops/items/${await member.postIn(state)}/${action}`, body());

const POSTS: Operations = {
  createPost: {
    'a draft': (member) => member.ask('POST', '/api/posts', newPost(member)),
    'a scheduled post': (member) =>
      member.ask('POST', '/api/posts', newPost(member, { scheduledAt: someTime() })),
  },
  createPosts: (member) =>
    member.ask('POST', '/api/posts/batch', {
      ...{ brandId: member.brandId, text: `Post ${randomUUID()}` },
      posts: [{ platform: 'x' }, { platform: 'threads' }],
    }),
  preflightPost: (member) => member.ask('POST', '/api/posts/preflight', newPost(member)),
  getPost: async (member) => member.ask('GET', `/api/posts/${await member.postIn('draft')}`),
  updatePost: async (member) =>
    member.ask('PUT', `/api/posts/${await member.postIn('draft')}`, { text: `Post ${randomUUID()}` }),
  deletePost: async (member) => member.ask('DELETE', `/api/posts/${await member.postIn('draft')}`),
  listPosts: {
    pages: pages('/api/posts?includeTotal=false'),
    'with their total': get('/api/posts'),
    'failed ones': pages('/api/posts?status=failed&includeTotal=false'),
    'failed ones and their total': get('/api/posts?status=failed'),
    'of a network without any': get('/api/posts?platform=threads'),
    'a day of the calendar': onTheNextDay,
  },
};

const CONTENT_OPS: Operations = {
  getContentItem: async (member) =>
    member.ask('GET', `/api/content-ops/items/${await member.postIn('draft')}`),
  editContentItem: async (member) =>
    member.ask('PATCH', `/api/content-ops/items/${await member.postIn('suggested')}`, {
      text: `Post ${randomUUID()}`,
    }),
  approveContentItem: act('suggested', 'approve'),
  rejectContentItem: act('proposed', 'reject'),
  rescheduleContentItem: act('scheduled', 'reschedule', () => ({ scheduledAt: someTime() })),
  retryContentItem: act('failed', 'retry'),
  resolveContentItem: act('unconfirmed', 'resolve', () => ({ delivered: false })),
  listQueue: {
    pages: pages('/api/content-ops/queue'),
    'the scheduled part': pages('/api/content-ops/queue?state=scheduled'),
    'of a network': get('/api/content-ops/queue?platform=x'),
    'of a network without any': get('/api/content-ops/queue?platform=threads'),
  },
  getDailyRollups: (member) => member.ask('GET', `/api/content-ops/daily?from=${TODAY()}&to=${TODAY()}`),
  listContentEvents: {
    'the oldest': pages('/api/content-ops/events'),
    'the newest': pages('/api/content-ops/events?order=desc'),
    'of a rare kind': get('/api/content-ops/events?kind=post.deleted'),
    'the newest of a kind that none has': get(
      '/api/content-ops/events?order=desc&kind=organization.brand_transferred_out',
    ),
    'of two kinds': get('/api/content-ops/events?kind=post.deleted,post.edited'),
    'of a rare actor': get('/api/content-ops/events?actor=rare'),
    'the newest of an actor of none': get('/api/content-ops/events?order=desc&actor=none'),
    'of a post': get(`/api/content-ops/events?contentId=${randomUUID()}`),
  },
  getPublishingWidget: get('/api/widget'),
};

const CONTENT = Buffer.from('picture');
const PICTURE = {
  ...{ fileName: 'a.jpg', contentType: 'image/jpeg', bytes: CONTENT.length },
  sha256: createHash('sha256').update(CONTENT).digest('hex'),
};
/** In parts, because it is large. */
const VIDEO = { fileName: 'a.mp4', contentType: 'video/mp4', bytes: 200_000_000 };
const begin = (member: Member, file: object) =>
  member.ask('POST', '/api/media/upload', { brandId: member.brandId, ...file });

const MEDIA: Operations = {
  beginMediaUpload: (member) => begin(member, PICTURE),
  completeMediaUpload: async (member) => {
    const { media, upload } = await begin(member, PICTURE);
    await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: CONTENT });
    return member.ask('POST', `/api/media/${media.id}/complete`);
  },
  signMediaParts: async (member) => {
    const { media } = await begin(member, VIDEO);
    return member.ask('POST', `/api/media/${media.id}/parts`, {
      parts: [{ partNumber: 1, sha256: PICTURE.sha256 }],
    });
  },
  abortMediaUpload: async (member) => {
    const { media } = await begin(member, VIDEO);
    return member.ask('POST', `/api/media/${media.id}/abort`);
  },
  listMedia: {
    pages: pages('/api/media?includeTotal=false'),
    'with their total': get('/api/media'),
    videos: pages('/api/media?kind=video&includeTotal=false'),
    'of a tag': pages('/api/media?tag=campaign&includeTotal=false'),
    'of a rare word': get('/api/media?q=quetzal'),
    'of a word that none has': get('/api/media?q=xylograph'),
  },
  getMedia: async (member) => member.ask('GET', `/api/media/${await member.file()}`),
  updateMedia: async (member) =>
    member.ask('PATCH', `/api/media/${await member.file()}`, { altText: 'A picture' }),
  deleteMedia: async (member) => member.ask('DELETE', `/api/media/${await member.file()}`),
  requestRendition: async (member) =>
    member.ask('POST', `/api/media/${await member.file()}/renditions`, { platform: 'x' }),
  fetchMedia: async (member) => {
    const { thumbnailUrl } = await member.ask('GET', `/api/media/${await member.file()}`);
    return member.attempt('GET', new URL(thumbnailUrl).pathname);
  },
};

export const CONTENT_OPERATIONS: Operations = { ...POSTS, ...CONTENT_OPS, ...MEDIA };
