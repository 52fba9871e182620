import type { AiCapability, Attribution } from '../../../access/attribution.js';
import type { RoutingPlan } from '../plan/plan.js';
import type { Deadline } from './deadline.js';

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
