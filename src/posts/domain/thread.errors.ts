import { DomainError } from '#libs/errors';

export class ThreadPositionIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'thread_position_taken';

  constructor() {
    super('Another post of this thread has this position. Send a free position, or none to append.', {
      errors: [{ pointer: '#/threadPosition', code: 'taken', detail: 'must be free in this thread' }],
    });
  }
}

export class ThreadIsOnAnotherPlatform extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'thread_on_another_platform';

  constructor(platform: string) {
    super(`All parts of a thread are on one platform. Send the platform ${platform}.`, {
      errors: [{ pointer: '#/platform', code: 'other_platform', detail: `must be ${platform}` }],
    });
  }
}

/** Posts of this network cannot reply to each other. Posts of threads that exist stay as they are. */
export class ThreadsAreNotSupported extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'threads_not_supported';

  /** @param asked what the request names of a thread */
  constructor(asked: { readonly id?: string }) {
    const pointer = asked.id === undefined ? '#/threadPosition' : '#/threadId';
    super('The network has no threads. Send the post without threadId and threadPosition.', {
      errors: [{ pointer, code: 'not_supported', detail: 'must not be sent for this network' }],
    });
  }
}
