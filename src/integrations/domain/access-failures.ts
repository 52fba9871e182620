import type { FailureReport } from '#libs/content';

interface NoAccess {
  readonly kind: 'ended' | 'misconfigured' | 'unavailable';
  readonly networkCode?: string;
}

/** Why no token was available; nothing was sent. */
export const accessFailure = ({ kind, networkCode }: NoAccess): FailureReport => ({
  ...FAILURES[kind],
  networkCode: networkCode ?? null,
});

const FAILURES: Readonly<Record<NoAccess['kind'], Omit<FailureReport, 'networkCode'>>> = {
  ended: {
    code: 'reconnect_needed',
    class: 'auth',
    message: 'The network no longer accepts the connection of this account.',
    nextStep: 'Connect the account again, then retry the post.',
  },
  misconfigured: {
    code: 'integration_misconfigured',
    class: 'configuration',
    message: 'The network or the stored connection cannot be used with the present configuration.',
    nextStep:
      'An operator has to check the credentials of this network and the log of this service; the post is then sent.',
  },
  unavailable: {
    code: 'token_not_renewed',
    class: 'transient',
    message: 'The access to the account has ended and could not be renewed right now; nothing was sent.',
    nextStep: 'Retry in some minutes.',
  },
};
