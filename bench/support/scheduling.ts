import { CommandBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { UpdatePost } from '../../src/posts/commands/update-post.js';
import { ask, type Author, type Business, randomTime } from './business.js';
import type { Contender } from './measure.js';

/** Drafts of all authors, created before each repetition. An author without drafts reschedules posts. */
const DRAFTS = 9_600;

const CLIENTS = 32;

/** Drafts that get a time, one after the other, by several ways. Each worker is an author of its own. */
export class Scheduling {
  constructor(private readonly business: Business) {}

  /** The command alone, through the controller's bus. */
  async command(): Promise<Contender> {
    const { api, callers } = await this.business.apiHere();
    const commands = api.app.get(CommandBus, { strict: false });
    return this.contender('command', async (worker, postId) => {
      const caller = callers[worker] as Caller;
      await commands.execute(
        new UpdatePost({
          postId,
          changes: {},
          intent: { kind: 'schedule', scheduledAt: randomTime() },
          caller,
        }),
      );
    });
  }

  /** PUT /api/posts/{postId} */
  async http(): Promise<Contender> {
    const pool = await this.business.served('src/main.js', CLIENTS);
    return this.contender('http', async (worker, postId) => {
      const author = this.business.authors[worker] as Author;
      await ask(pool, author, 'PUT', `/api/posts/${postId}`, { scheduledAt: randomTime() });
    });
  }

  private contender(name: string, schedule: (worker: number, postId: string) => Promise<void>): Contender {
    let drafts: string[][] = [];
    let turns: number[] = [];
    return {
      name,
      prepare: async () => {
        drafts = await this.business.posts(DRAFTS / this.business.authors.length, () => null);
        turns = drafts.map(() => 0);
        await this.business.db.database.query('CHECKPOINT');
      },
      async work(worker) {
        const own = drafts[worker] as string[];
        const turn = turns[worker] as number;
        turns[worker] = turn + 1;
        await schedule(worker, own[turn % own.length] as string);
        return 1;
      },
    };
  }
}
