import type { FailureReport } from '#libs/content';

/** Why no token was available; nothing was sent. */
export function accessFailure(kind: 'ended' | 'misconfigured' | 'unavailable'): FailureReport {
  return FAILURES[kind];
}

const FAILURES: Readonly<Record<'ended' | 'misconfigured' | 'unavailable', FailureReport>> = {
  ended: {
    code: 'reconnect_needed',
    class: 'auth',
    networkCode: null,
    message: 'The network no longer accepts the connection of this account.',
    nextStep: 'Connect the account again, then retry the post.',
  },
  misconfigured: {
    code: 'integration_misconfigured',
    class: 'configuration',
    networkCode: null,
    message: 'The network or the stored connection cannot be used with the present configuration.',
    nextStep:
      'An operator has to check the credentials of this network and the log of this service; the post is then sent.',
  },
  unavailable: {
    code: 'token_not_renewed',
    class: 'transient',
    networkCode: null,
    message: 'The access to the account has ended and could not be renewed right now; nothing was sent.',
    nextStep: 'Retry in some minutes.',
  },
};
