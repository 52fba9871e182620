import type { Finding, MediaFacts } from '#libs/content';
import type { ContentToCheck } from '../../provider.types.js';
import {
  above,
  below,
  errorRule,
  FRAME_RATE_TOLERANCE,
  hasOtherChroma,
  isOther,
  longSide,
  type MediaRule,
  ratioOf,
  shortSide,
  warningRule,
} from '../file-rules.js';
import { error } from '../content-rules.js';
import { brokenRules, renditionsBy } from '../media-rules.js';
import { ANIMATION, MAX_ALT_TEXT, MAX_PHOTOS, VIDEO, VIDEO_LIMITS as LIMITS, IMAGE } from './x-limits.js';

const X = { platform: 'x', displayName: 'X' };
const MINUTE_MS = 60_000;
/** A container that rounds the size that it shows states nearly square pixels. */
const PIXEL_TOLERANCE = 0.01;
const framePixels = ({ width, height, frames }: MediaFacts): number | null =>
  width && height && frames && width * height * frames;

/** Photos have no rule: a rendition makes them fit. */
const OF_ANIMATIONS: readonly MediaRule[] = [
  errorRule(
    'gif-frames',
    ({ frames }) => above(frames, ANIMATION.maxFrames),
    `X takes GIF with at most ${ANIMATION.maxFrames} frames. Use a shorter one.`,
  ),
  errorRule(
    'gif-pixels',
    (file) => above(framePixels(file), ANIMATION.maxFramePixels),
    'X takes GIF with at most 300 million pixels: width × height × frames. Use a smaller or shorter one.',
  ),
  warningRule(
    'gif-scaled',
    ({ width, height, bytes }) =>
      above(width, ANIMATION.maxWidth) ||
      above(height, ANIMATION.maxHeight) ||
      above(bytes, ANIMATION.maxBytes),
    `X takes GIF of at most ${ANIMATION.maxWidth} × ${ANIMATION.maxHeight} pixels and 15 MB. It is scaled down.`,
  ),
];

const OF_VIDEOS: readonly MediaRule[] = [
  errorRule(
    'video-codec',
    ({ videoCodec }) => isOther(videoCodec, /^avc[13]\b/),
    'X takes videos with H.264 only. Convert the video.',
  ),
  errorRule(
    'video-chroma',
    hasOtherChroma,
    'X takes videos with chroma subsampling 4:2:0 only. Convert the video.',
  ),
  errorRule(
    'video-pixels',
    ({ pixelAspectRatio: ratio }) => above(ratio, 1 + PIXEL_TOLERANCE) || below(ratio, 1 - PIXEL_TOLERANCE),
    'X takes videos with square pixels only. Export the video with a pixel aspect ratio of 1:1.',
  ),
  // The codec can store fields, and progressive pictures too.
  warningRule(
    'video-interlaced',
    ({ isInterlaced }) => isInterlaced === true,
    'X documents progressive videos only. It may refuse this one, which is interlaced. Export it as progressive.',
  ),
  // The documentation names 4:2:0 and the profile High, which has 8 bits.
  warningRule(
    'video-depth',
    ({ videoCodec }) => videoCodec !== null && /^avc[13]\.6e/i.test(videoCodec),
    'X documents videos with 8 bits for each colour. It may refuse one with 10 bits.',
  ),
  errorRule(
    'audio-codec',
    ({ audioCodec }) => isOther(audioCodec, /^mp4a\.40\.0?2$/),
    'X takes sound with AAC-LC only. Convert the video.',
  ),
  errorRule(
    'audio-channels',
    ({ audioChannels }) => above(audioChannels, LIMITS.maxAudioChannels),
    'X takes mono or stereo sound. Convert the video.',
  ),
  errorRule(
    'video-frame-rate',
    ({ frameRate }) => above(frameRate, LIMITS.maxFrameRate + FRAME_RATE_TOLERANCE),
    `X takes at most ${LIMITS.maxFrameRate} frames per second. Convert the video.`,
  ),
  errorRule(
    'video-too-small',
    (file) => below(shortSide(file), LIMITS.minSide),
    'X takes videos of at least 32 × 32 pixels. Use a larger one.',
  ),
  // "Should be" in the documentation. Clients report that X scales larger videos down itself.
  warningRule(
    'video-size',
    (file) => above(shortSide(file), LIMITS.maxShortSide) || above(longSide(file), LIMITS.maxLongSide),
    `X documents videos of at most ${LIMITS.maxLongSide} × ${LIMITS.maxShortSide} pixels. It may refuse a larger one or scale it down.`,
  ),
  errorRule(
    'video-ratio',
    (file) => above(ratioOf(file), LIMITS.maxRatio) || below(ratioOf(file), LIMITS.minRatio),
    'X takes videos with an aspect ratio from 1:3 to 3:1. Crop the video.',
  ),
  errorRule(
    'video-too-short',
    ({ durationMs }) => below(durationMs, LIMITS.minMs),
    'X takes videos of at least 0.5 seconds. Use a longer one.',
  ),
  warningRule(
    'video-long',
    ({ durationMs }) =>
      above(durationMs, LIMITS.maxMinutes * MINUTE_MS) &&
      !above(durationMs, LIMITS.maxMinutesPremium * MINUTE_MS),
    `Without a subscription, an account on X may publish videos of at most ${LIMITS.maxMinutes} minutes.`,
  ),
  errorRule(
    'video-too-long',
    ({ durationMs }) => above(durationMs, LIMITS.maxMinutesPremium * MINUTE_MS),
    `X takes videos of at most ${LIMITS.maxMinutesPremium} minutes. Use a shorter one.`,
  ),
  errorRule(
    'video-bytes',
    ({ bytes }) => above(bytes, VIDEO.maxBytes),
    'X takes videos of at most 4.19 GB in segments of 4 MiB. Use a smaller one.',
  ),
];

const OF_ALL: readonly MediaRule[] = [
  warningRule(
    'alt-text-cut',
    ({ kind, altText }) => kind === 'image' && [...(altText?.trim() ?? '')].length > MAX_ALT_TEXT,
    `X shows at most ${MAX_ALT_TEXT} characters of an alt text. The rest is cut.`,
  ),
  warningRule(
    'alt-text-unsupported',
    ({ kind, altText }) => kind !== null && kind !== 'image' && (altText?.trim() ?? '') !== '',
    'X shows alt texts of photos only.',
  ),
];

type Content = Pick<ContentToCheck, 'media' | 'account' | 'isSent'>;

export function mediaFindings(content: Content): Finding[] {
  const { media } = content;
  return [...together(media), ...media.flatMap(ofFile)].flatMap((finding) => forAccount(finding, content));
}

/** It depends on the subscription, which can be newer than what is known: an unknown one, or a post being sent, gets a warning. */
function forAccount(finding: Finding, { account, isSent }: Content): Finding[] {
  const { subscription } = account?.facts ?? {};
  if (finding.ruleId !== 'x.media.video-long' || typeof subscription !== 'string') return [finding];
  if (subscription !== 'None') return [];
  return [isSent ? finding : { ...finding, severity: 'error' }];
}

function together(media: readonly MediaFacts[]): Finding[] {
  const isMoving = ({ kind }: MediaFacts) => kind === 'animation' || kind === 'video';
  if (media.length > 1 && media.some(isMoving))
    return [
      error('x.media.mixed', 'A post on X shows up to 4 photos, or one GIF, or one video.', '#/mediaIds'),
    ];
  if (media.length <= MAX_PHOTOS) return [];
  return [error('x.media.too-many', `X takes at most ${MAX_PHOTOS} photos in a post.`, '#/mediaIds')];
}

function ofFile(file: MediaFacts, index: number): Finding[] {
  const ofKind = file.kind === 'animation' ? OF_ANIMATIONS : file.kind === 'video' ? OF_VIDEOS : [];
  return brokenRules(X, file, [...ofKind, ...OF_ALL], index);
}

export const renditions = renditionsBy({ image: IMAGE, animation: ANIMATION, video: VIDEO });
