import { DomainError } from '#libs/errors';

export class ThreadPositionIsTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'thread_position_taken';

  constructor() {
    super('Another post of this thread has that position already.', {
      errors: [{ pointer: '#/threadPosition', code: 'taken', detail: 'must be free in this thread' }],
    });
  }
}

export class ThreadIsOnAnotherPlatform extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'thread_on_another_platform';

  constructor(platform: string) {
    super(`This thread is on ${platform}; all its parts are.`, {
      errors: [{ pointer: '#/platform', code: 'other_platform', detail: `must be ${platform}` }],
    });
  }
}
