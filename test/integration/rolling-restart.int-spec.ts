import { setTimeout as pause } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { HealthModule } from '#libs/health';
import type { RunningService } from '#libs/http';
import { ProbingBalancer } from '../support/probing-balancer.js';
import { waitUntil } from '../support/wait-until.js';
import { SampleModule, startSample } from './http-sample.js';

/**
 * The probe of deploy/kubernetes, twice as fast: it notices within 2 s that a replica ends, and never within 1 s. Replicas have
 * the default delay of 5 s.
 */
const PROBE = { periodMs: 1_000, failureThreshold: 2 };
const CALLERS = 4;
/** Each caller sends its next request so long after an answer: many during each probe, and little to do for the processor. */
const THINKS_MS = 10;

describe('a rolling restart behind a readiness probe', () => {
  let balancer: ProbingBalancer;
  let running: Set<RunningService>;

  beforeEach(() => {
    balancer = new ProbingBalancer(PROBE);
    running = new Set();
  });
  afterEach(async () => {
    await balancer.close();
    await Promise.all([...running].map((replica) => replica.close()));
  });

  const addReplica = async (): Promise<RunningService> => {
    const module: DynamicModule = {
      module: class Probed {},
      imports: [SampleModule, HealthModule.forRoot()],
    };
    const replica = await startSample({}, module);
    running.add(replica);
    balancer.add(replica);
    await waitUntil(() => balancer.ready.includes(replica));
    return replica;
  };

  /** A separate process that gets SIGTERM. The balancer learns of it only by the probe. */
  const end = async (replica: RunningService): Promise<void> => {
    await replica.closeAfterBalancerDelay();
    running.delete(replica);
    await waitUntil(() => !balancer.ready.includes(replica));
  };

  /** Requests while `work` lasts. @returns how many had each outcome */
  const underLoad = async (work: () => Promise<void>): Promise<Map<number | string, number>> => {
    const outcomes = new Map<number | string, number>();
    const load = new AbortController();
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!load.signal.aborted) {
        const outcome = await balancer.send('/things?limit=1');
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await pause(THINKS_MS);
      }
    });
    try {
      await work();
    } finally {
      load.abort();
      await Promise.all(callers);
    }
    return outcomes;
  };

  it('loses no request', async () => {
    const old = [await addReplica(), await addReplica()];
    const outcomes = await underLoad(async () => {
      const ended: Promise<void>[] = [];
      for (const replica of old) {
        await addReplica();
        ended.push(end(replica));
      }
      await Promise.all(ended);
    });
    expect([...outcomes.keys()]).toEqual([200]);
    expect(outcomes.get(200)).toBeGreaterThan(100);
  });
});
