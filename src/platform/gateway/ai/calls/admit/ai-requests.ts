import { randomUUIDv7 } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '#libs/clock';
import type { AiCapability, Attribution } from '../../../access/attribution.js';
import { AiCallsConfig } from '../../ai-calls.config.js';
import type { RoutingPlan } from '../plan/plan.js';
import { Plans } from '../plan/plans.js';
import { Deadline } from './deadline.js';

/** One request of a caller, with all of its attempts. */
export interface AiCall {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  /** UUID; the attempts share it. */
  readonly requestId: string;
  readonly plan: RoutingPlan;
  /** The plan as the database has it now. @throws as `selectModels` */
  readonly readPlan: () => Promise<RoutingPlan>;
  /** Further plans have the prices of a model that a provider returned. @param ref as provider/model */
  readonly learnReturned: (ref: string) => void;
  readonly deadline: Deadline;
  /** What ends with the call. */
  readonly scope: AsyncDisposableStack;
}

/** On whose behalf a request is made, and how. */
export interface AiCaller {
  readonly attribution: Attribution;
  /** Whether it may name another model than the default. */
  readonly mayChooseModel: boolean;
  /** Aborted when the caller leaves; undefined: the request is finished without it. */
  readonly left: AbortSignal | undefined;
}

export interface Choice {
  readonly model?: string;
  readonly timeoutMs?: number;
}

/** Turns a request into a call: its plan, its deadline and its id. */
@Injectable()
export class AiRequests {
  constructor(
    private readonly plans: Plans,
    private readonly config: AiCallsConfig,
    private readonly clock: Clock,
  ) {}

  /** @param scope of the whole call @throws as `selectModels` */
  async open(
    scope: AsyncDisposableStack,
    caller: AiCaller,
    capability: AiCapability,
    choice: Choice,
  ): Promise<AiCall> {
    const { attribution, mayChooseModel, left } = caller;
    const { timeoutMs: longestMs } = this.config;
    const { model, timeoutMs = longestMs } = choice;
    const limit = { timeoutMs: Math.min(timeoutMs, longestMs), longestMs };
    const deadline = scope.use(new Deadline(this.clock, limit, left));
    const override = model === undefined ? null : { model, isPermitted: mayChooseModel };
    const request = { attribution, capability, override };
    return {
      attribution,
      capability,
      requestId: randomUUIDv7(),
      plan: await this.plans.planFor(request),
      readPlan: () => this.plans.read(request),
      learnReturned: (ref) => this.plans.learnReturned(request, ref),
      deadline,
      scope,
    };
  }
}
