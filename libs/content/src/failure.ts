export const FAILURE_CLASSES = [
  'transient',
  'auth',
  'permanent',
  'configuration',
  'unconfirmed',
  'missed',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Why a publish attempt failed. */
export interface FailureReport {
  /** Stable machine name, snake_case, the same on every network. */
  readonly code: string;
  readonly class: FailureClass;
  /** The network's own name or number for it, where it gave one. */
  readonly networkCode: string | null;
  /** One plain sentence; never a secret and never raw text of the network. */
  readonly message: string;
  /** What the reader can do about it. */
  readonly nextStep: string;
}

/** The failure of an attempt after which the post may be live. @param message what happened, for a person */
export const inDoubt = (message: string, networkCode: string | null = null): FailureReport => ({
  code: 'delivery_unconfirmed',
  class: 'unconfirmed',
  networkCode,
  message,
  nextStep: 'Look at the account and settle whether the post is there; it is not sent again before that.',
});
