import type { ShownPost, Timeline } from '../kit/web/shown-post.js';
import type { TikTokAccount, TikTokPost } from './tiktok-records.js';
import type { TikTok } from './tiktok.js';

const AUDIENCES: Readonly<Record<string, string>> = {
  SELF_ONLY: 'only me',
  MUTUAL_FOLLOW_FRIENDS: 'friends',
  FOLLOWER_OF_CREATOR: 'followers',
};

/** Shows private posts too, with who sees them. */
export function tiktokTimeline(tiktok: TikTok): Timeline<TikTokAccount, TikTokPost> {
  return {
    show: (post, account) => shown(tiktok, post, account),
    file(id) {
      const publication = [...tiktok.uploads.all].find(({ media }) => media.some((file) => file.id === id));
      const postId = publication?.decision?.postId;
      const content = publication?.media.find((file) => file.id === id)?.content;
      if (!content || postId == null || !tiktok.posts.find(postId)) return undefined;
      return { path: tiktok.files.path(id), content };
    },
  };
}

function shown(tiktok: TikTok, post: TikTokPost, { username }: TikTokAccount): ShownPost {
  const media = tiktok.uploads.find(post.publishId)?.media ?? [];
  const kind = post.publishId.startsWith('p_') ? 'photo' : 'video';
  const audience = AUDIENCES[post.privacyLevel];
  const notes = [audience, post.isAigc ? 'AI-generated' : undefined].filter(Boolean);
  return {
    id: post.id,
    path: `${tiktok.webPath}/@${username}/${kind}/${post.id}`,
    createdAt: post.createdAt,
    ...(post.title !== '' && { title: post.title }),
    text: post.text,
    media: media.map(({ id, content: { width, height } }) => ({
      id,
      kind: kind === 'photo' ? 'image' : 'video',
      altText: null,
      width,
      height,
    })),
    ...(notes.length > 0 && { note: notes.join(' · ') }),
  };
}
