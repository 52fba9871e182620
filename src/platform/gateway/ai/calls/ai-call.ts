import type { AiCapability, Attribution } from '../../access/attribution.js';
import type { Plan } from './plans/plan.js';
import type { Deadline } from './deadline.js';

/** One request of a caller, with all of its attempts. */
export interface AiCall {
  readonly attribution: Attribution;
  readonly capability: AiCapability;
  /** UUID; the attempts share it. */
  readonly requestId: string;
  readonly plan: Plan;
  /** The plan as the database has it now. @throws as `selectModels` */
  readonly readPlan: () => Promise<Plan>;
  readonly deadline: Deadline;
}
