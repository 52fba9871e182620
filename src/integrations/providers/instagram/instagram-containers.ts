import type { Clock } from '#libs/clock';
import type { DeliveryFile } from '#libs/content';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import { isMadeWithAi, altTextOf } from '../file-labels.js';
import { containerFailure, containerRefusal } from '../containers/container-errors.js';
import type { ContainerNetwork, Fields } from '../containers/container-network.js';
import { containerStateIn, shownPostIn } from '../containers/container-values.js';
import { readingsIn } from '../containers/container-quota.js';
import { MAX_ALT_TEXT } from './instagram-limits.js';
import { captionOf } from './instagram-rules.js';

/** `Error: Media upload has failed with error code 2207026` */
const SUBCODE = /\b(22\d{5})\b/;

/**
 * Containers of Instagram: developers.facebook.com/docs/instagram-platform/content-publishing, and the references ig-user/media,
 * ig-user/media_publish, ig-container and ig-user/content_publishing_limit (read 2026-11-21, limits of files 2026-09-11).
 */
export function instagramContainers(baseUrl: string, webUrl: string, clock: Clock): ContainerNetwork {
  return {
    displayName: 'Instagram',
    baseUrl,
    paths: { containers: 'media', publish: 'media_publish', quota: 'content_publishing_limit' },
    quotaFields: 'quota_usage,config',
    statusFields: 'status_code,status',
    postFields: 'id,caption,permalink,timestamp',
    hasQuota: () => true,
    listOf: (content) => (isStory(content) ? 'stories' : 'media'),
    textOf: (content) => (isStory(content) ? '' : captionOf(content)),
    itemFields,
    containerFields,
    stateIn: (body) => containerStateIn(body, 'status_code', 'status'),
    postIn: (item) => shownPostIn(item, 'caption'),
    refusalOf: (error, of, _content, waitMs) => containerRefusal('Instagram', error, of, waitMs),
    failureOf: (reason) =>
      containerFailure('Instagram', Number(SUBCODE.exec(reason ?? '')?.[1] ?? NaN) || null),
    readingsIn: (response) => readingsIn(response, clock.now()),
    accountUrl: (username) => `${webUrl}/${encodeURIComponent(username)}/`,
  };
}

const isStory = ({ options }: Pick<DeliveryContent, 'options'>): boolean => options.format === 'story';

/** A video of a carousel is a `VIDEO`; everywhere else videos are reels. */
function itemFields(file: DeliveryFile): Fields {
  return {
    is_carousel_item: 'true',
    ...(isVideo(file) && { media_type: 'VIDEO' }),
    ...sourceOf(file),
    ...altText(file),
  };
}

/** `is_ai_generated` belongs to the post: Instagram refuses it of a file of a carousel. */
function containerFields(
  content: DeliveryContent,
  files: readonly DeliveryFile[],
  children: readonly string[],
): Fields {
  const caption = isStory(content) ? '' : captionOf(content);
  return {
    ...(caption !== '' && { caption }),
    ...(isMadeWithAi(content, files) && { is_ai_generated: 'true' }),
    ...(children.length > 0
      ? { media_type: 'CAROUSEL', children: children.join(',') }
      : single(content, files[0])),
  };
}

function single(content: DeliveryContent, file: DeliveryFile | undefined): Fields {
  if (!file) return {};
  if (isStory(content)) return { media_type: 'STORIES', ...sourceOf(file) };
  return isVideo(file) ? { ...reel(content), ...sourceOf(file) } : { ...sourceOf(file), ...altText(file) };
}

/** `format: reel` asks for the Reels tab alone; else it is shown in the feed too. */
function reel({ options: { format, coverAtMs } }: DeliveryContent): Fields {
  return {
    media_type: 'REELS',
    share_to_feed: String(format !== 'reel'),
    ...(coverAtMs !== undefined && { thumb_offset: String(coverAtMs) }),
  };
}

const isVideo = ({ kind }: DeliveryFile): boolean => kind === 'video';

const sourceOf = (file: DeliveryFile): Fields =>
  isVideo(file) ? { video_url: file.address() } : { image_url: file.address() };

/** Images have one; reels and stories have none. */
function altText(file: DeliveryFile): Fields {
  const text = isVideo(file) ? null : altTextOf(file, MAX_ALT_TEXT);
  return text === null ? {} : { alt_text: text };
}
