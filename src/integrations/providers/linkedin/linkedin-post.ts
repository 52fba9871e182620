import type { DeliveryFile } from '#libs/content';
import type { CommitCall } from '../../domain/provider-publishing.js';
import { altTextOf } from '../file-labels.js';
import { articleOf, commentaryOf } from './linkedin-text.js';
import type { Variant } from './linkedin-variants.js';
import { MAX_ALT_TEXT } from './linkedin-limits.js';

/** POST /rest/posts (learn.microsoft.com, …/shares/posts-api, view li-lms-2026-05). @param media URNs in the order of the files */
export function postBody(
  variant: Variant,
  { account, content, files }: CommitCall,
  media: readonly string[],
) {
  return {
    author: variant.authorOf(account.accountId),
    commentary: commentaryOf(content, media.length),
    visibility: content.options.privacy === 'connections' ? 'CONNECTIONS' : 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    ...contentOf(content, files, media),
  };
}

/** A post has a card, or files, or neither. */
function contentOf(content: CommitCall['content'], files: readonly DeliveryFile[], media: readonly string[]) {
  const article = articleOf(content, media.length);
  if (article) return { content: { article } };
  const [first] = media;
  if (first === undefined) return {};
  if (media.length > 1)
    return { content: { multiImage: { images: media.map((id, at) => shown(id, files[at])) } } };
  const title = content.title?.trim() ?? '';
  return { content: { media: { ...shown(first, files[0]), ...(title !== '' && { title }) } } };
}

/** LinkedIn takes descriptions of images. */
function shown(id: string, file: DeliveryFile | undefined): { id: string; altText?: string } {
  const altText = file && file.kind !== 'video' ? altTextOf(file, MAX_ALT_TEXT) : null;
  return altText === null ? { id } : { id, altText };
}
