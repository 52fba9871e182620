import type { Clock } from '#libs/clock';
import type { DeliveryFile } from '#libs/content';
import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import { altTextOf } from '../file-labels.js';
import type { ContainerNetwork, Fields } from '../containers/container-network.js';
import { containerStateIn, shownPostIn } from '../containers/container-values.js';
import { readingsIn } from '../containers/container-quota.js';
import { threadsFailure, threadsRefusal } from './threads-errors.js';
import { MAX_ALT_TEXT } from './threads-limits.js';
import { partsOf } from './threads-rules.js';

/** developers.facebook.com/docs/threads/posts, /troubleshooting (quota, states) and /threads-media (lists); read 2026-11-21. */
export function threadsContainers(baseUrl: string, webUrl: string, clock: Clock): ContainerNetwork {
  return {
    displayName: 'Threads',
    baseUrl,
    paths: { containers: 'threads', publish: 'threads_publish', quota: 'threads_publishing_limit' },
    quotaFields: 'quota_usage,config',
    statusFields: 'status,error_message',
    postFields: 'id,text,permalink,timestamp',
    // The quota of replies needs a permission that this service does not ask for.
    hasQuota: ({ replyTo }) => replyTo === null,
    listOf: ({ replyTo }) => (replyTo === null ? 'threads' : 'replies'),
    textOf: (content) => partsOf(content, content.mediaIds.length).text,
    itemFields,
    containerFields,
    stateIn: (body) => containerStateIn(body, 'status', 'error_message'),
    postIn: (item) => shownPostIn(item, 'text'),
    refusalOf: threadsRefusal,
    failureOf: threadsFailure,
    readingsIn: (response) => readingsIn(response, clock.now()),
    accountUrl: (username) => `${webUrl}/@${encodeURIComponent(username)}`,
  };
}

const itemFields = (file: DeliveryFile): Fields => ({ is_carousel_item: 'true', ...sourceOf(file) });

function containerFields(
  content: DeliveryContent,
  files: readonly DeliveryFile[],
  children: readonly string[],
): Fields {
  const { text, link } = partsOf(content, files.length);
  const [file] = files;
  return {
    ...(text !== '' && { text }),
    ...(link !== null && { link_attachment: link }),
    ...(content.replyTo !== null && { reply_to_id: content.replyTo }),
    ...(children.length > 0
      ? { media_type: 'CAROUSEL', children: children.join(',') }
      : file
        ? sourceOf(file)
        : { media_type: 'TEXT' }),
  };
}

function sourceOf(file: DeliveryFile): Fields {
  const text = altTextOf(file, MAX_ALT_TEXT);
  const source: Fields =
    file.kind === 'video'
      ? { media_type: 'VIDEO', video_url: file.address() }
      : { media_type: 'IMAGE', image_url: file.address() };
  return text === null ? source : { ...source, alt_text: text };
}
