import { setImmediate } from 'node:timers/promises';
import type { DynamicModule } from '@nestjs/common';
import { HealthModule } from '#libs/health';
import type { RunningService } from '#libs/http';

import { ProbingBalancer } from '../support/probing-balancer.js';
import { until } from '../support/until.js';
import { SampleModule, startSample } from './http-sample.js';

/** The probe of deploy/kubernetes, forty times faster; the delay has ten times what it needs, for a busy machine. */
const PROBE = { periodMs: 50, failureThreshold: 2 };
const DELAY_MS = 1_000;
const CALLERS = 4;

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
    const replica = await startSample({ SHUTDOWN_DELAY_MS: String(DELAY_MS) }, module);
    running.add(replica);
    balancer.add(replica);
    await until(() => balancer.ready.includes(replica));
    return replica;
  };

  /** Requests without a pause while `work` lasts. @returns how many had each outcome */
  const underLoad = async (work: () => Promise<void>): Promise<Map<number | string, number>> => {
    const outcomes = new Map<number | string, number>();
    const load = new AbortController();
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!load.signal.aborted) {
        const outcome = await balancer.send('/things?limit=1');
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await setImmediate();
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
      for (const replica of old) {
        await addReplica();
        await replica.closeAfterBalancerDelay();
        running.delete(replica);
        balancer.remove(replica);
      }
    });
    expect([...outcomes.keys()]).toEqual([200]);
    expect(outcomes.get(200)).toBeGreaterThan(100);
  });
});
