import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DatabaseIsUnavailable } from '#libs/database';
import { ObjectStorageIsUnavailable } from '#libs/object-storage';
import { MakeDueRenditions } from './make-due-renditions.worker.js';
import type { Release } from '../../claims/claim.js';
import type { ClaimedRendition } from './rendition-claims.store.js';
import { RenditionEndedItsProcess } from './rendition-failures.js';

interface Ends {
  readonly failed?: { readonly code: string; readonly message: string };
  readonly released?: Release;
}

/** Makes one rendition, which throws `error`. @param counts of its earlier attempts */
async function make(
  error: Error,
  { failures = 0, errors = 0, attempts = 1 }: Partial<ClaimedRendition> = {},
): Promise<Ends> {
  const claimed = { id: 'r1', organizationId: null, takeovers: 0, failures, errors, attempts };
  const ended = Promise.withResolvers<Ends>();
  let taken = 0;
  const claims = {
    take: (_: number, of: string) => Promise.resolve(of === 'fast' && taken++ === 0 ? [claimed] : []),
    release: (_: unknown, released: Release) => Promise.resolve(ended.resolve({ released })),
  };
  const maker = { make: () => Promise.reject(error) };
  const fail = (_: unknown, { code, message }: { code: string; message: string }) => {
    ended.resolve({ failed: { code, message } });
    return Promise.resolve(true);
  };
  const metrics = { starts: () => () => undefined };
  const parts = [claims, maker, { fail }, metrics, { processes: 1 }];
  const worker = new MakeDueRenditions(
    ...(parts as unknown as ConstructorParameters<typeof MakeDueRenditions>),
  );
  worker.onApplicationBootstrap();
  const result = await ended.promise;
  await worker.beforeApplicationShutdown();
  return result;
}

const refused = Object.assign(new Error('out of range for type integer'), { code: '22003' });

describe('a rendition that could not be made', () => {
  beforeEach(() => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  });

  it.each(['out_of_memory', 'out_of_time', 'died'] as const)(
    'because its process ended (%s) is tried three times, with pauses in between',
    async (reason) => {
      const error = new RenditionEndedItsProcess(reason);
      expect(await make(error)).toEqual({ released: { dueInMs: 30_000, failures: 1, errors: 0 } });
      expect(await make(error, { failures: 1, attempts: 2 })).toEqual({
        released: { dueInMs: 120_000, failures: 1, errors: 0 },
      });
      expect(await make(error, { failures: 2, attempts: 3 })).toMatchObject({
        failed: { code: 'not_readable' },
      });
    },
  );

  it('because the database refuses its facts is given up', async () => {
    expect(await make(refused)).toMatchObject({ failed: { code: 'not_readable' } });
  });

  it('for an unknown reason is given up after 20 errors', async () => {
    const error = new Error('A file of the result is missing.');
    expect(await make(error)).toEqual({ released: { dueInMs: 1_000, failures: 0, errors: 1 } });
    expect(await make(error, { errors: 19, attempts: 20 })).toMatchObject({
      failed: { code: 'not_readable' },
    });
  });

  it.each([
    ['store', new ObjectStorageIsUnavailable(new Error('down'))],
    ['database', new DatabaseIsUnavailable(new Error('down'))],
  ])('because the %s is away is tried for as long as that lasts', async (_, error) => {
    const counts = { failures: 2, errors: 19, attempts: 500 };
    expect(await make(error, counts)).toEqual({ released: { dueInMs: 300_000, failures: 0, errors: 0 } });
  });
});
