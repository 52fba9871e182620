import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { Refusal } from '../../domain/provider-publishing.js';
import { containerFailure, containerRefusal } from '../containers/container-errors.js';
import { REMEDIES, WORDS, refusal } from '../containers/container-failures.js';
import type { CallKind } from '../containers/container-network.js';
import type { GraphError } from '../graph/graph-errors.js';
import { networkCodeOf } from '../graph/graph-errors.js';
import type { Words } from '../graph/graph-refusals.js';

/*
 * Errors of Threads: developers.facebook.com/docs/threads/troubleshooting and /docs/threads/create-posts/text-attachments (read
 * 2026-11-22). The rest is what Instagram and Facebook have.
 */

/** A reply can arrive before its parent is known everywhere. */
const PARENT_VISIBLE_AFTER_MS = 5_000;
const NOT_FOUND = 24;

export function threadsRefusal(
  error: GraphError,
  of: CallKind,
  content: DeliveryContent | null,
  waitMs: number | null,
): Refusal {
  const networkCode = networkCodeOf(error);
  if (error.words.includes('link_limit_exceeded')) return refusal('Threads', networkCode, WORDS.tooManyLinks);
  if (of === 'step' && error.code === NOT_FOUND && content?.replyTo) return parentInvisible(networkCode);
  return containerRefusal('Threads', error, of, waitMs);
}

const parentInvisible = (networkCode: string): Refusal =>
  refusal('Threads', networkCode, WORDS.parentInvisible, {
    kind: 'wait',
    milliseconds: PARENT_VISIBLE_AFTER_MS,
  });

/** `error_message` of a container; a new one may succeed where Threads could not load the file or names no reason. */
const REASONS: Readonly<Record<string, readonly [words: Words, remedy?: Refusal['remedy']]>> = {
  FAILED_DOWNLOADING_VIDEO: [WORDS.fetchTimedOut, REMEDIES.prepareAgain],
  FAILED_PROCESSING_AUDIO: [WORDS.processingFailed],
  FAILED_PROCESSING_VIDEO: [WORDS.processingFailed],
  INVALID_ASPEC_RATIO: [WORDS.mediaRefused],
  INVALID_BIT_RATE: [WORDS.mediaRefused],
  INVALID_DURATION: [WORDS.mediaRefused],
  INVALID_FRAME_RATE: [WORDS.mediaRefused],
  INVALID_AUDIO_CHANNELS: [WORDS.mediaRefused],
  INVALID_AUDIO_CHANNEL_LAYOUT: [WORDS.mediaRefused],
  UNKNOWN: [WORDS.processingBroke, REMEDIES.prepareAgain],
};

export function threadsFailure(reason: string | null): Refusal {
  const [name = ''] = /^[A-Z_]{1,60}$/.exec(reason ?? '') ?? [];
  const known = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  return known ? refusal('Threads', name, ...known) : containerFailure('Threads', null);
}
