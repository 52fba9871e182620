import { DomainError } from '#libs/errors';

export class PlatformNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'platform_not_found';

  constructor() {
    super('The network is unknown. Use a platform of GET /api/integrations.');
  }
}

/** No organization of this installation is named as its operator. */
export class OperatorIsNotConfigured extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'operator_not_configured';

  constructor() {
    super(
      'No organization operates this installation. Set OPERATOR_ORGANIZATION_ID to the id of the organization whose owners and admins do.',
    );
  }
}

/** The caller does not operate this installation. Does not reveal whether a hold exists. */
export class OperatorIsRequired extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'operator_required';

  constructor() {
    super(
      'This concerns all organizations of the installation. Sign in as an owner or admin of the organization that operates it.',
    );
  }
}

export class ProviderIsNotConnectable extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'provider_not_connectable';

  constructor(displayName: string, readiness: string) {
    super(
      readiness === 'planned'
        ? `${displayName} cannot be connected yet.`
        : `${displayName} has to be set up by an operator before accounts can be connected.`,
      { members: { readiness } },
    );
  }
}

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

export class ConnectionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'connection_not_found';

  constructor() {
    super('The connection does not exist, or you have no access to it. Check its id.');
  }
}

/** The state of the return is unknown, used, expired, or belongs to another browser. */
export class AuthorizationStateIsInvalid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'authorization_state_invalid';

  constructor() {
    super('This sign-in was already used, took too long or was started in another browser. Start it again.');
  }
}

/** The person who began the sign-in is signed out, or may no longer connect accounts to the brand. */
export class ConnectIsNotAllowed extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'connect_not_allowed';

  constructor() {
    super(
      'You were signed out meanwhile, or may not connect accounts to this brand any more. Sign in and start it again.',
    );
  }
}

/** A page of another site sent the form that confirms a sign-in. */
export class FormIsOfAnotherSite extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'form_of_another_site';

  constructor() {
    super('The form was not sent by the page of this service. Open the address again and confirm there.');
  }
}

/** The network does not accept the sign-in as this service requests it, such as its scopes. */
export class SignInIsMisconfigured extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'sign_in_misconfigured';

  constructor(displayName: string) {
    super(
      `${displayName} does not accept how this service requests access; nothing was connected. Tell the operator of this service: the log names the network's code, and the application at the network has to be checked.`,
    );
  }
}

/** The network, or the person there, refused access. */
export class AuthorizationFailed extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'authorization_failed';
}

export class NetworkIsUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'network_unavailable';

  constructor(displayName: string, cause?: unknown) {
    super(`${displayName} does not answer. Try again in a moment.`, { retryAfterSeconds: 5, cause });
  }
}

/** No network sends such callbacks to this address. */
export class NetworkSendsNoCallbacks extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'callback_not_found';

  constructor(displayName: string) {
    super(`${displayName} sends no signed callbacks.`);
  }
}

export class SignedRequestIsMalformed extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'signed_request_malformed';

  constructor() {
    super(
      'signed_request must be two parts in base64url, joined by a dot: a signature, and JSON with algorithm HMAC-SHA256, user_id and issued_at.',
    );
  }
}

/** Another key, another payload, or another application. */
export class SignatureIsInvalid extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'signature_invalid';

  constructor() {
    super(
      'The signature does not match. Sign the second part as it is sent, with the secret of this application.',
    );
  }
}

export class SignedRequestHasExpired extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'signed_request_expired';

  constructor() {
    super('The signed request is too old, or issued_at is in the future. Send a new one.');
  }
}

export class ConnectionsAreChanging extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'connections_changing';

  constructor() {
    super('The connections of this person are being changed. Send the request again.', {
      retryAfterSeconds: 5,
    });
  }
}

/** The code is unknown. Does not reveal anything about a person. */
export class DataDeletionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'data_deletion_not_found';

  constructor() {
    super('No deletion with this code is known. Check the code.');
  }
}
