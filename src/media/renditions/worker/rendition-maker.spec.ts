import type { CommandBus } from '@nestjs/cqrs';
import type { MediaProcesses } from '../../isolation/media-processes.js';
import type { TaskFailureReason } from '../../isolation/media-task.js';
import type { ObjectStorage } from '#libs/object-storage';
import type { ClaimedRendition } from './rendition-claims.store.js';
import { RenditionMaker } from './rendition-maker.js';

describe('a rendition whose task failed', () => {
  const make = (reason: TaskFailureReason) => {
    const processes = { run: () => Promise.resolve({ kind: 'failed', reason, message: 'exit SIGKILL' }) };
    const storage = { presignInternalGet: () => Promise.resolve({ url: 'http://127.0.0.1:1/' }) };
    const maker = new RenditionMaker(
      processes as unknown as MediaProcesses,
      storage as unknown as ObjectStorage,
      {} as CommandBus,
    );
    const claimed = { spec: { kind: 'image' }, bytes: 10 } as unknown as ClaimedRendition;
    return maker.make(claimed, '/nowhere', {
      signal: new AbortController().signal,
      onStart: () => undefined,
    });
  };

  it.each(['out_of_memory', 'out_of_time', 'died', 'error'] as const)(
    'is not failed for good by %s: the machine may be the reason',
    async (reason) => {
      await expect(make(reason)).rejects.toThrow();
    },
  );

  it('is failed for good when its index asks for too many reads', async () => {
    expect(await make('read_budget')).toMatchObject({ kind: 'failed', code: 'not_readable' });
  });
});
