import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { Refusal } from '../../domain/provider-publishing.js';
import { containerFailure, containerRefusal } from '../containers/container-errors.js';
import { CONTAINER_FAILURES as FAILURES, REMEDIES } from '../containers/container-failures.js';
import type { CallKind } from '../containers/container-network.js';
import { refusal, type RefusalTemplate } from '../failures.js';
import { type GraphError, networkCodeOf } from '../graph/graph-errors.js';

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
  if (error.words.includes('link_limit_exceeded'))
    return refusal('Threads', networkCode, FAILURES.tooManyLinks);
  if (of === 'step' && error.code === NOT_FOUND && content?.replyTo) return parentInvisible(networkCode);
  return containerRefusal('Threads', error, of, waitMs);
}

const parentInvisible = (networkCode: string): Refusal =>
  refusal('Threads', networkCode, FAILURES.parentInvisible, {
    kind: 'wait',
    milliseconds: PARENT_VISIBLE_AFTER_MS,
  });

/** `error_message` of a container; a new one may succeed where Threads could not load the file or names no reason. */
const REASONS: Readonly<Record<string, RefusalTemplate>> = {
  FAILED_DOWNLOADING_VIDEO: [FAILURES.fetchTimedOut, REMEDIES.prepareAgain],
  FAILED_PROCESSING_AUDIO: [FAILURES.processingFailed],
  FAILED_PROCESSING_VIDEO: [FAILURES.processingFailed],
  INVALID_ASPEC_RATIO: [FAILURES.mediaRefused],
  INVALID_BIT_RATE: [FAILURES.mediaRefused],
  INVALID_DURATION: [FAILURES.mediaRefused],
  INVALID_FRAME_RATE: [FAILURES.mediaRefused],
  INVALID_AUDIO_CHANNELS: [FAILURES.mediaRefused],
  INVALID_AUDIO_CHANNEL_LAYOUT: [FAILURES.mediaRefused],
  UNKNOWN: [FAILURES.processingBroke, REMEDIES.prepareAgain],
};

export function threadsFailure(reason: string | null): Refusal {
  const [name = ''] = /^[A-Z_]{1,60}$/.exec(reason ?? '') ?? [];
  const known = Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
  return known ? refusal('Threads', name, ...known) : containerFailure('Threads', null);
}
