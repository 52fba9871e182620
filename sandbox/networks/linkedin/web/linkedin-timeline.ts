import type { ShownMedia, ShownPost, Timeline } from '../../kit/web/shown-post.js';
import type { LinkedInAccount } from '../state/linkedin-accounts.js';
import { filesOf, type LinkedInPost } from '../state/linkedin-posts.js';
import { uploadIdIn } from '../state/linkedin-uploads.js';
import type { LinkedIn } from '../state/linkedin.js';

export const linkedInTimeline = (linkedin: LinkedIn): Timeline<LinkedInAccount, LinkedInPost> => ({
  show: (post) => shown(linkedin, post),
  file(id) {
    const content = linkedin.uploads.find(id)?.complete?.content;
    return content ? { path: linkedin.files.path(id), content } : undefined;
  },
});

function shown(linkedin: LinkedIn, post: LinkedInPost): ShownPost {
  const { id, createdAt, text, content, visibility } = post;
  const title = content.media?.title;
  return {
    id,
    path: `${linkedin.webPath}/feed/update/${id}/`,
    createdAt,
    text,
    media: mediaOf(linkedin, post),
    ...(title !== undefined && { title }),
    ...(content.article && { link: { href: content.article.source, title: content.article.title } }),
    ...(visibility === 'CONNECTIONS' && { note: 'connections only' }),
  };
}

const mediaOf = ({ uploads }: LinkedIn, { content }: LinkedInPost): ShownMedia[] =>
  filesOf(content).flatMap(({ id: urn, altText = null }) => {
    const upload = uploads.find(uploadIdIn(urn));
    if (!upload) return [];
    const { width, height } = upload.complete?.content ?? {};
    return [{ id: upload.id, kind: upload.kind, altText, width, height }];
  });
