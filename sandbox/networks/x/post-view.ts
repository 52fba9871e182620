import { linksIn, mediaLinkOf, shownText, type XPost } from './post-text.js';
import { mediaKeyOf } from './x-uploads.js';
import type { X } from './x.js';

const SHOWN: Readonly<Record<string, (post: XPost, x: X) => unknown>> = {
  attachments: (post, x) => attachments(post, x),
  author_id: (post) => post.authorId,
  conversation_id: (post) => post.conversationId,
  created_at: (post) => post.createdAt,
  entities: (post, x) => entities(post, x),
  in_reply_to_user_id: (post, x) =>
    post.inReplyTo === null ? undefined : (x.posts.find(post.inReplyTo)?.authorId ?? post.authorId),
  lang: () => 'en',
  possibly_sensitive: () => false,
  public_metrics: () => ({
    retweet_count: 0,
    reply_count: 0,
    like_count: 0,
    quote_count: 0,
    bookmark_count: 0,
    impression_count: 0,
  }),
  referenced_posts: (post) => referenced(post),
  referenced_tweets: (post) => referenced(post),
  reply_settings: () => 'everyone',
};

const referenced = ({ inReplyTo }: XPost) =>
  inReplyTo === null ? undefined : [{ type: 'replied_to', id: inReplyTo }];

const ALWAYS = ['edit_history_tweet_ids', 'id', 'text'];
const NEVER_SET = [
  'article',
  'card_uri',
  'community_id',
  'context_annotations',
  'display_text_range',
  'edit_controls',
  'geo',
  'media_metadata',
  'non_public_metrics',
  'note_tweet',
  'organic_metrics',
  'promoted_metrics',
  'scopes',
  'source',
  'suggested_source_links',
  'withheld',
];

export const POST_FIELDS: readonly string[] = [...ALWAYS, ...Object.keys(SHOWN), ...NEVER_SET]
  .filter((field) => field !== 'referenced_posts')
  .sort();

export function postView(x: X, post: XPost, fields: readonly string[]): Record<string, unknown> {
  const view: Record<string, unknown> = {
    edit_history_tweet_ids: [post.id],
    id: post.id,
    text: shownText(post),
  };
  for (const field of fields) {
    const value = SHOWN[field]?.(post, x);
    if (value !== undefined) view[field] = value;
  }
  return view;
}

/** Positions count in the shortened text, in Unicode code points, before HTML escaping. */
function entities(post: XPost, x: X): unknown {
  let shift = 0;
  const urls = linksIn(post.id, post.text).map((link) => {
    const start = [...post.text.slice(0, link.start)].length + shift;
    shift += link.url.length - [...post.text.slice(link.start, link.end)].length;
    return {
      start,
      end: start + link.url.length,
      url: link.url,
      expanded_url: link.expandedUrl,
      display_url: link.expandedUrl.replace(/^https?:\/\/(www\.)?/i, ''),
    };
  });
  const all = [...urls, ...mediaUrls(post, x, [...post.text].length + shift)];
  return all.length === 0 ? undefined : { urls: all };
}

const uploadsOf = ({ mediaIds = [] }: XPost, x: X) => mediaIds.flatMap((id) => x.uploads.find(id) ?? []);

function attachments(post: XPost, x: X): unknown {
  return post.mediaIds && { media_keys: uploadsOf(post, x).map(mediaKeyOf) };
}

/** One entity for each file, all with the address at the end of the text. @param length of the text before it */
function mediaUrls(post: XPost, x: X, length: number): unknown[] {
  const url = mediaLinkOf(post);
  if (url === null) return [];
  const start = length === 0 ? 0 : length + 1;
  const page = `${x.webUrl}/${x.accounts.find(post.authorId)?.username ?? 'i'}/status/${post.id}`;
  return uploadsOf(post, x).map((upload) => ({
    start,
    end: start + url.length,
    url,
    expanded_url: `${page}/${upload.category === 'tweet_image' ? 'photo' : 'video'}/1`,
    display_url: url.replace('https://t.co/', 'pic.x.com/'),
    media_key: mediaKeyOf(upload),
  }));
}
