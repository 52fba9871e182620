import { Logger } from '@nestjs/common';

/** The claim belongs to another process, or its row was deleted. */
export class ClaimIsLost extends Error {}

/** The lease of a claim outlives a pause of the process; a dead process delays its item by it. */
export const CLAIM_LEASE_MS = 30_000;
/** In SQL, when a claim that begins or is renewed now ends. */
export const CLAIM_END = `now() + interval '${CLAIM_LEASE_MS} milliseconds'`;
/** So often in a lease it is renewed: it outlives several renewals that fail. */
const RENEWALS = 4;

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 300_000;

/** Milliseconds until the next attempt after an outage or an unexpected error. @param attempts so far, at least 1 */
export const backoffMs = (attempts: number): number =>
  Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));

export interface Renewal {
  readonly leaseMs: number;
  /** @returns false when the claim is lost */
  readonly renew: () => Promise<boolean>;
}

const logger = new Logger('Claims');

/**
 * Runs `work` while its claim is renewed.
 * @param work gets a signal that is aborted with ClaimIsLost when the claim is lost
 */
export async function whileRenewed<T>(
  { leaseMs, renew }: Renewal,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  let isRenewing = false;
  const renewOnce = async (): Promise<void> => {
    // While the database does not answer, renewals do not pile up.
    if (isRenewing) return;
    isRenewing = true;
    try {
      if (!(await renew())) lost.abort(new ClaimIsLost());
    } catch (error) {
      logger.warn(error, 'A claim could not be renewed. It is tried again.');
    } finally {
      isRenewing = false;
    }
  };
  const renewing = setInterval(() => void renewOnce(), leaseMs / RENEWALS);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(renewing);
  }
}
