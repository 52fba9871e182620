import { DomainError } from '#libs/errors';
import type { ProviderRefusal } from './youtube-responses.js';

export class ProviderTokenIsMissing extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'provider_token_missing';

  constructor() {
    super("Send X-Provider-Token with the channel's access token. The gateway does not store it.", {
      errors: [{ header: 'X-Provider-Token', code: 'missing', detail: 'must be an access token' }],
    });
  }
}

export class PartIsNotValid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'part_not_valid';

  constructor(detail: string) {
    super(detail, { errors: [{ header: 'Content-Range', code: 'not_a_part', detail }] });
  }
}

/** Also for an upload of another application or organization. */
export class UploadNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'upload_not_found';

  constructor() {
    super('The upload does not exist. Begin a new one.');
  }
}

/** The provider no longer knows the session. Before the last part was sent, nothing was published. */
export class UploadSessionIsGone extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'upload_session_gone';

  constructor() {
    super('The provider ended this upload. Begin a new one.');
  }
}

/** The provider refused the call: it had no effect. */
export class VideoProviderRefused extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'video_provider_refused';

  constructor({ status, reason, retryAfterSeconds }: ProviderRefusal) {
    super('The video provider refuses the call. providerReason is its reason.', {
      members: {
        providerStatus: status,
        providerReason: reason,
        providerRetryAfterSeconds: retryAfterSeconds,
      },
    });
  }
}

/** The call was not sent. */
export class VideoProviderIsUnreachable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'video_provider_unreachable';

  constructor() {
    super('The video provider could not be reached. Nothing was sent; try again in a moment.');
  }
}

/** The call was sent and no usable answer came: whether it had an effect is in doubt. */
export class VideoProviderGaveNoAnswer extends DomainError {
  readonly kind = 'bad-gateway';
  readonly code = 'video_provider_unanswered';

  constructor() {
    super(
      'The video provider gave no usable answer. The call may have had its effect: read the state first.',
    );
  }
}
