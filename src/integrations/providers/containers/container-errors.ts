import type { DeliveryContent } from '../../domain/delivery-outcome.js';
import type { Refusal } from '../../domain/provider-publishing.js';
import { refusal, type RefusalTemplate } from '../failures.js';
import { type GraphError, isGraphError, networkCodeOf, readGraphError } from '../graph/graph-errors.js';
import { commonRefusal, mayBeLive, unknownRefusal } from '../graph/graph-refusals.js';
import { waitIn } from '../graph/graph-usage.js';
import type { ResponseReader } from '../network-responses.js';
import { CONTAINER_FAILURES as FAILURES, REMEDIES } from './container-failures.js';
import type { CallKind, ContainerNetwork } from './container-network.js';

/*
 * Errors of media containers: developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/error-codes (2026-06-02).
 * Subcodes are the same at Instagram and Threads. Some pairs of code and subcode come from clients and translated copies of the page;
 * therefore the subcode decides, then the code.
 */

const EXPIRED: RefusalTemplate = [FAILURES.expired, REMEDIES.prepareAgain];
const NOT_FETCHED: RefusalTemplate = [FAILURES.notFetched, REMEDIES.fetchAgain];
const NOT_READY: RefusalTemplate = [FAILURES.notReady, REMEDIES.notReady];
const BROKEN: RefusalTemplate = [FAILURES.processingBroke, REMEDIES.prepareAgain];
const DAILY_LIMIT: RefusalTemplate = [FAILURES.dailyLimit, REMEDIES.dailyLimit];

const BY_SUBCODE: Readonly<Record<number, RefusalTemplate>> = {
  2_207_003: [FAILURES.fetchTimedOut, REMEDIES.fetchAgain],
  2_207_004: [FAILURES.mediaTooLarge],
  2_207_005: [FAILURES.mediaRefused],
  2_207_006: EXPIRED,
  2_207_008: EXPIRED,
  2_207_009: [FAILURES.mediaRefused],
  2_207_010: [FAILURES.textTooLong],
  2_207_020: EXPIRED,
  2_207_023: [FAILURES.refused],
  2_207_026: [FAILURES.mediaRefused],
  2_207_027: NOT_READY,
  2_207_028: [FAILURES.refused],
  2_207_032: BROKEN,
  2_207_035: [FAILURES.refused],
  2_207_036: [FAILURES.refused],
  2_207_037: [FAILURES.refused],
  2_207_040: [FAILURES.refused],
  2_207_042: DAILY_LIMIT,
  2_207_050: [FAILURES.accountRestricted],
  2_207_051: [FAILURES.restricted, REMEDIES.restricted],
  2_207_052: NOT_FETCHED,
  2_207_053: BROKEN,
  2_207_057: [FAILURES.coverOutOfRange],
  // Of container states; clients report both for videos that the network cannot decode (postiz-app #1992).
  2_207_082: [FAILURES.processingFailed],
  2_207_085: [FAILURES.processingFailed],
};

const BY_CODE: Readonly<Record<number, RefusalTemplate>> = {
  9: DAILY_LIMIT,
  24: EXPIRED,
  25: [FAILURES.accountRestricted],
  352: [FAILURES.mediaRefused],
  9_004: NOT_FETCHED,
  9_007: NOT_READY,
  36_000: [FAILURES.mediaTooLarge],
  36_001: [FAILURES.mediaRefused],
  36_003: [FAILURES.mediaRefused],
  36_004: [FAILURES.textTooLong],
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

/** Why a container failed for good: what a repeat might mend needs a new one. @param subcode null: not stated */
export function containerFailure(displayName: string, subcode: number | null): Refusal {
  const networkCode = subcode === null ? 'ERROR' : String(subcode);
  if (subcode === SERVER_ERROR) return refusal(displayName, networkCode, ...BROKEN);
  const [template, remedy] = (subcode === null ? undefined : BY_SUBCODE[subcode]) ?? [
    FAILURES.processingFailed,
  ];
  return refusal(displayName, networkCode, template, remedy && REMEDIES.prepareAgain);
}

/** @param content of the post, where a refusal depends on it */
export const readerOf = (
  network: ContainerNetwork,
  of: CallKind,
  content: DeliveryContent | null,
): ResponseReader => ({
  displayName: network.displayName,
  readingsIn: (response) => network.readingsIn(response),
  isOwnError: isGraphError,
  classify: ({ status, headers, body }) =>
    network.refusalOf(readGraphError(status, body), of, content, waitIn(headers)),
});
