import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Counter } from 'prom-client';
import { BoundedQueue, LimitedThread, type ThreadLimits, type WaitingLimits } from '#libs/concurrency';
import { Metrics } from '#libs/http';
import type { SchemaCheck } from './response-schema.js';

const THREAD = new URL('./schema-thread.js', import.meta.url);
/** Usual checks take some milliseconds; a busy machine is slower. */
const LIMITS: ThreadLimits = { milliseconds: 500, megabytes: 64 };
/** A few organizations whose checks all take their whole time leave others their turn within this wait. */
const WAITING: WaitingLimits = { total: 256, perOrigin: 64, unknownTotal: 256, milliseconds: 3_000 };

class NoRoomForCheck extends Error {}

/** Checks whether texts fit the schemas of callers, in a thread: a schema can take any time. Organizations take turns. */
@Injectable()
export class SchemaChecks implements OnApplicationShutdown {
  private readonly thread = new LimitedThread(THREAD, this.limits);
  private readonly queue = new BoundedQueue(1, this.waiting, () => new NoRoomForCheck());
  private readonly unchecked: Counter<'reason'>;

  constructor({ registry }: Metrics) {
    this.unchecked = new Counter({
      name: 'ai_unchecked_responses_total',
      help: 'Completions whose response schema was not checked: the check took too much time or memory, failed, or got no turn.',
      labelNames: ['reason'] as const,
      registers: [registry],
    });
  }

  /** Both are replaced in tests. */
  protected get limits(): ThreadLimits {
    return LIMITS;
  }

  protected get waiting(): WaitingLimits {
    return WAITING;
  }

  /** @returns true also for a text that could not be checked: it is returned as the model wrote it */
  async fits(organizationId: string, check: SchemaCheck): Promise<boolean> {
    try {
      const result = await this.queue.run({ name: organizationId }, () => this.thread.run(check));
      if (result.kind === 'done') return result.output as boolean;
      this.unchecked.inc({ reason: result.reason });
    } catch (error) {
      if (!(error instanceof NoRoomForCheck)) throw error;
      this.unchecked.inc({ reason: 'no_turn' });
    }
    return true;
  }

  /** After the requests have ended. */
  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
