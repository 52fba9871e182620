import type { Call } from '../../wire/call.js';
import {
  containerSettings,
  type ContainerDialect,
  type ContainerDraft,
  type ContainerPost,
  type MediaType,
} from '../containers/dialect.js';
import { DraftFields, MB, refuse, shortcodeOf, VIDEO_ENCODING } from '../containers/draft-fields.js';
import * as problems from './instagram-problems.js';

const MAX_CAPTION = 2_200;
const PARAMETERS =
  'image_url video_url media_type caption is_carousel_item children alt_text share_to_feed thumb_offset cover_url is_ai_generated'.split(
    ' ',
  );
const TYPES = ['IMAGE', 'VIDEO', 'REELS', 'STORIES', 'CAROUSEL'];
const SECOND = 1_000;

/** Instagram by its business login: developers.facebook.com/docs/instagram-platform/content-publishing. */
export const INSTAGRAM: ContainerDialect = {
  network: 'instagram',
  displayName: 'Instagram',
  site: 'www.instagram.com',
  tokenPrefix: 'IGAA',
  grantPrefix: 'ig',
  textField: 'caption',
  scopes: {
    instagram_business_basic: 'See your profile and what you have published.',
    instagram_business_content_publish: 'Publish photos, videos and stories for you.',
  },
  namesPermissions: true,
  publishScope: 'instagram_business_content_publish',
  settings: containerSettings(100),
  paths: { containers: 'media', publish: 'media_publish', quota: 'content_publishing_limit' },
  lists: {
    media: ({ mediaType }) => mediaType !== 'STORIES',
    stories: ({ mediaType }) => mediaType === 'STORIES',
  },
  children: { min: 2, max: 10 },
  image: (type) => ({
    formats: ['jpeg'],
    maxBytes: 8 * MB,
    ...(type !== 'STORIES' && { minRatio: 0.8, maxRatio: 1.91 }),
  }),
  video: (type) => ({
    ...VIDEO_ENCODING,
    maxBytes: (type === 'STORIES' ? 100 : 300) * MB,
    minRatio: type === 'STORIES' ? 0.1 : 0.01,
    minMs: 3 * SECOND,
    maxMs: (type === 'STORIES' ? 60 : 900) * SECOND,
  }),
  draftIn,
  containerView: (container, state) => ({
    id: container.id,
    status_code: state,
    status: state === 'ERROR' ? `Error: ${container.error}` : WORDS[state],
  }),
  postView: (post) => ({
    id: post.id,
    ...(post.text !== '' && post.mediaType !== 'STORIES' && { caption: post.text }),
    media_type: shownType(post.mediaType),
    timestamp: post.createdAt.replace(/\.\d+Z$/, '+0000'),
  }),
  postPath: pathOf,
  videoError: (problem) => `Media upload has failed with error code ${problems.videoSubcode(problem)}`,
  ...problems,
};

const WORDS = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been successfully published.',
  EXPIRED: 'Expired: The media container has expired.',
};

function pathOf({ id }: ContainerPost): string {
  return `/p/${shortcodeOf(id)}/`;
}

function draftIn(call: Call): ContainerDraft {
  const fields = new DraftFields(call);
  fields.mustHaveOnly(PARAMETERS);
  const isItem = fields.flag('is_carousel_item');
  const mediaType = typeIn(fields, isItem);
  const caption = fields.text('caption') ?? '';
  if ([...caption].length > MAX_CAPTION) refuseCaption();
  const source = mediaType === 'CAROUSEL' ? null : fields.source(mediaType);
  if (mediaType === 'STORIES' && source === null) refuse('image_url or video_url is required.', 2_207_035);
  const altText = fields.altText();
  if (altText !== null && (source?.kind !== 'image' || mediaType === 'STORIES'))
    refuse('alt_text is supported for images only.');
  const isAi = fields.flag('is_ai_generated');
  if (isAi && isItem) refuse('is_ai_generated is not supported for items of a carousel.');
  return {
    mediaType,
    source,
    isItem,
    text: caption,
    altText,
    replyTo: null,
    link: null,
    children: mediaType === 'CAROUSEL' ? fields.list('children') : [],
    notes: notesOf(fields, mediaType, isAi),
    madeWithAi: isAi,
  };
}

function typeIn(fields: DraftFields, isItem: boolean): MediaType {
  const given = fields.text('media_type') ?? 'IMAGE';
  if (!TYPES.includes(given)) refuse('media_type is unknown.', 2_207_023);
  // A single video has been a reel since 2023.
  if (given === 'VIDEO' && !isItem)
    refuse(
      'The VIDEO value for media_type is no longer supported. Use the REELS media type to publish a video.',
      2_207_067,
    );
  if (isItem && given !== 'IMAGE' && given !== 'VIDEO')
    refuse('Items of a carousel are images and videos.', 2_207_023);
  return given as MediaType;
}

function notesOf(fields: DraftFields, type: MediaType, isAi: boolean): string[] {
  return [
    ...(type === 'STORIES' ? ['story'] : []),
    ...(type === 'REELS' ? [fields.text('share_to_feed') === 'false' ? 'reel' : 'reel in the feed'] : []),
    ...(fields.text('thumb_offset') === null ? [] : [`cover at ${fields.text('thumb_offset')} ms`]),
    ...(isAi ? ['made with AI'] : []),
  ];
}

function refuseCaption(): never {
  refuse('The caption was too long.', 2_207_010);
}

const shownType = (type: MediaType): string =>
  type === 'CAROUSEL' ? 'CAROUSEL_ALBUM' : type === 'REELS' ? 'VIDEO' : type === 'STORIES' ? 'IMAGE' : type;
