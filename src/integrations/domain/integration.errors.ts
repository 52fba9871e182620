import { domainError } from '#libs/errors';

export class PlatformNotFound extends domainError(
  'not-found',
  'platform_not_found',
  'The network is unknown. Use a platform of GET /api/integrations.',
) {}

export class OperatorIsNotConfigured extends domainError(
  'forbidden',
  'operator_not_configured',
  'No organization operates this installation. Set OPERATOR_ORGANIZATION_ID to the id of the organization whose owners and admins do.',
) {}

/** The caller does not operate this installation. Does not reveal whether a hold exists. */
export class OperatorIsRequired extends domainError(
  'forbidden',
  'operator_required',
  'This concerns all organizations of the installation. Sign in as an owner or admin of the organization that operates it.',
) {}

export class ProviderIsNotConnectable extends domainError(
  'conflict',
  'provider_not_connectable',
  (displayName: string, readiness: string) => ({
    detail:
      readiness === 'planned'
        ? `${displayName} cannot be connected yet.`
        : `${displayName} has to be set up by an operator before accounts can be connected.`,
    members: { readiness },
  }),
) {}

/** Reason of the hold of a network whose OAuth routes refuse this service's credentials. */
export const CLIENT_REFUSED = 'client_refused';

/** The network refuses this service itself, for every account. */
export class ServiceIsRefused extends ProviderIsNotConnectable {
  /** @param reason stable, snake_case; why the network is held from now on */
  constructor(
    displayName: string,
    readonly reason: typeof CLIENT_REFUSED | 'client_forbidden',
  ) {
    super(displayName, 'setup-required');
  }
}

export class ConnectionNotFound extends domainError(
  'not-found',
  'connection_not_found',
  'The connection does not exist, or you have no access to it. Check its id.',
) {}

/** The state of the return is unknown, used, expired, or belongs to another browser. */
export class AuthorizationStateIsInvalid extends domainError(
  'invalid',
  'authorization_state_invalid',
  'This sign-in was already used, took too long or was started in another browser. Start it again.',
) {}

/** The person who began the sign-in is signed out, or may no longer connect accounts to the brand. */
export class ConnectIsNotAllowed extends domainError(
  'invalid',
  'connect_not_allowed',
  'You were signed out meanwhile, or may not connect accounts to this brand any more. Sign in and start it again.',
) {}

/** A page of another site sent the form that confirms a sign-in. */
export class FormIsOfAnotherSite extends domainError(
  'forbidden',
  'form_of_another_site',
  'The form was not sent by the page of this service. Open the address again and confirm there.',
) {}

/** The network does not accept the sign-in as this service requests it, such as its scopes. */
export class SignInIsMisconfigured extends domainError(
  'conflict',
  'sign_in_misconfigured',
  (displayName: string) =>
    `${displayName} does not accept how this service requests access; nothing was connected. Tell the operator of this service: the log names the network's code, and the application at the network has to be checked.`,
) {}

export class AuthorizationFailed extends domainError(
  'invalid',
  'authorization_failed',
  (detail: string) => detail,
) {}

export class NetworkIsUnavailable extends domainError(
  'unavailable',
  'network_unavailable',
  (displayName: string, cause?: unknown) => ({
    detail: `${displayName} does not answer. Try again in a moment.`,
    retryAfterSeconds: 5,
    cause,
  }),
) {}

export class NetworkSendsNoCallbacks extends domainError(
  'not-found',
  'callback_not_found',
  (displayName: string) => `${displayName} sends no signed callbacks.`,
) {}

export class SignedRequestIsMalformed extends domainError(
  'invalid',
  'signed_request_malformed',
  'signed_request must be two parts in base64url, joined by a dot: a signature, and JSON with algorithm HMAC-SHA256, user_id and issued_at.',
) {}

/** Another key, another payload, or another application. */
export class SignatureIsInvalid extends domainError(
  'forbidden',
  'signature_invalid',
  'The signature does not match. Sign the second part as it is sent, with the secret of this application.',
) {}

export class SignedRequestHasExpired extends domainError(
  'forbidden',
  'signed_request_expired',
  'The signed request is too old, or issued_at is in the future. Send a new one.',
) {}

export class ConnectionsAreChanging extends domainError('unavailable', 'connections_changing', {
  detail: 'The connections of this person are being changed. Send the request again.',
  retryAfterSeconds: 5,
}) {}

/** The code is unknown. Does not reveal anything about a person. */
export class DataDeletionNotFound extends domainError(
  'not-found',
  'data_deletion_not_found',
  'No deletion with this code is known. Check the code.',
) {}
