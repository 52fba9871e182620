import type { Refusal } from '../../domain/provider-publishing.js';
import type { GraphError } from '../graph/graph-errors.js';
import { networkCodeOf } from '../graph/graph-errors.js';
import type { Words } from '../graph/graph-refusals.js';
import { commonRefusal, mayBeLive, unknownRefusal } from '../graph/graph-refusals.js';
import { REMEDIES, WORDS, refusal } from './container-failures.js';
import type { CallKind } from './container-network.js';

/*
 * Errors of media containers: developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes (2026-06-02).
 * Subcodes are the same at Instagram and Threads. Some pairs of code and subcode come from clients and translated copies of the page;
 * therefore the subcode decides, then the code.
 */

type Row = readonly [words: Words, remedy?: Refusal['remedy']];

const EXPIRED: Row = [WORDS.expired, REMEDIES.prepareAgain];
const NOT_FETCHED: Row = [WORDS.notFetched, REMEDIES.fetchAgain];
const NOT_READY: Row = [WORDS.notReady, REMEDIES.notReady];
const BROKEN: Row = [WORDS.processingBroke, REMEDIES.prepareAgain];
const DAILY_LIMIT: Row = [WORDS.dailyLimit, REMEDIES.dailyLimit];

const BY_SUBCODE: Readonly<Record<number, Row>> = {
  2_207_003: [WORDS.fetchTimedOut, REMEDIES.fetchAgain],
  2_207_004: [WORDS.tooLarge],
  2_207_005: [WORDS.mediaRefused],
  2_207_006: EXPIRED,
  2_207_008: EXPIRED,
  2_207_009: [WORDS.mediaRefused],
  2_207_010: [WORDS.textTooLong],
  2_207_020: EXPIRED,
  2_207_023: [WORDS.refused],
  2_207_026: [WORDS.mediaRefused],
  2_207_027: NOT_READY,
  2_207_028: [WORDS.refused],
  2_207_032: BROKEN,
  2_207_035: [WORDS.refused],
  2_207_036: [WORDS.refused],
  2_207_037: [WORDS.refused],
  2_207_040: [WORDS.refused],
  2_207_042: DAILY_LIMIT,
  2_207_050: [WORDS.accountRestricted],
  2_207_051: [WORDS.restricted, REMEDIES.restricted],
  2_207_052: NOT_FETCHED,
  2_207_053: BROKEN,
  2_207_057: [WORDS.coverOutOfRange],
  // Of container states; clients report both for videos that the network cannot decode (postiz-app #1992).
  2_207_082: [WORDS.processingFailed],
  2_207_085: [WORDS.processingFailed],
};

const BY_CODE: Readonly<Record<number, Row>> = {
  9: DAILY_LIMIT,
  24: EXPIRED,
  25: [WORDS.accountRestricted],
  352: [WORDS.mediaRefused],
  9_004: NOT_FETCHED,
  9_007: NOT_READY,
  36_000: [WORDS.tooLarge],
  36_001: [WORDS.mediaRefused],
  36_003: [WORDS.mediaRefused],
  36_004: [WORDS.textTooLong],
};

/** The network's machines failed; a container may have been published all the same. */
const SERVER_ERROR = 2_207_001;
/** Clients have seen the post live after this refusal. */
const RESTRICTED = 2_207_051;

/** @param waitMs until calls are accepted again, by the headers; null: not stated */
export function containerRefusal(
  displayName: string,
  error: GraphError,
  of: CallKind,
  waitMs: number | null,
): Refusal {
  const { code, subcode } = error;
  const networkCode = networkCodeOf(error);
  const row = (subcode === null ? undefined : BY_SUBCODE[subcode]) ?? BY_CODE[code ?? 0];
  if (subcode === SERVER_ERROR || (subcode === RESTRICTED && of === 'post'))
    return mayBeLive(displayName, networkCode);
  if (row) return refusal(displayName, networkCode, ...row);
  return commonRefusal(displayName, error, waitMs) ?? unknownRefusal(displayName, error);
}

/**
 * Why a container failed. It cannot be used any more, so what a repeat might mend needs a new one.
 * @param subcode null: not stated
 */
export function containerFailure(displayName: string, subcode: number | null): Refusal {
  const networkCode = subcode === null ? 'ERROR' : String(subcode);
  if (subcode === SERVER_ERROR) return refusal(displayName, networkCode, ...BROKEN);
  const [words, remedy] = (subcode === null ? undefined : BY_SUBCODE[subcode]) ?? [WORDS.processingFailed];
  return refusal(displayName, networkCode, words, remedy && REMEDIES.prepareAgain);
}
