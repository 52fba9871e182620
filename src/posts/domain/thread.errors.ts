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
