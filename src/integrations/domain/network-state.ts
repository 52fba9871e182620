import type { FailureReport } from '#libs/content';

export interface NetworkState {
  /** Why nothing is sent to it; null: posts are sent. */
  readonly outage: FailureReport | null;
  /** One post may find out whether the outage is over. */
  readonly mayProbe: boolean;
  /** A recent attempt had no answer: the next answer has to be reported. */
  readonly isFailing: boolean;
  /** Milliseconds since the last outage ended; null: none is known. */
  readonly recoveredMs: number | null;
}

/** Failure code of calls without a usable response that had no effect. */
export const NETWORK_UNREACHABLE = 'network_unreachable';

/** Reason of a hold while the network processes what was uploaded. */
export const NETWORK_PROCESSING = 'network_processing';

export const ANSWERING: NetworkState = {
  outage: null,
  mayProbe: false,
  isFailing: false,
  recoveredMs: null,
};
