import { domainError } from '#libs/errors';

export class ThreadPositionIsTaken extends domainError('conflict', 'thread_position_taken', {
  detail: 'Another post of this thread has this position. Send a free position, or none to append.',
  errors: [{ pointer: '#/threadPosition', code: 'taken', detail: 'must be free in this thread' }],
}) {}

export class ThreadIsOnAnotherPlatform extends domainError(
  'invalid',
  'thread_on_another_platform',
  (platform: string) => ({
    detail: `All parts of a thread are on one platform. Send the platform ${platform}.`,
    errors: [{ pointer: '#/platform', code: 'other_platform', detail: `must be ${platform}` }],
  }),
) {}

/**
 * Posts of this network cannot reply to each other. Posts of threads that exist stay as they are.
 * @param asked what the request names of a thread
 */
export class ThreadsAreNotSupported extends domainError(
  'invalid',
  'threads_not_supported',
  (asked: { readonly id?: string }) => {
    const pointer = asked.id === undefined ? '#/threadPosition' : '#/threadId';
    return {
      detail: 'The network has no threads. Send the post without threadId and threadPosition.',
      errors: [{ pointer, code: 'not_supported', detail: 'must not be sent for this network' }],
    };
  },
) {}
