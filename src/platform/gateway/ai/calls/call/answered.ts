import type { AttemptRecord } from '../fallback/attempt-record.js';
import type { PlannedModel } from '../plan/plan.js';
import type { Usage } from '../../usage/spend/quantities.js';
import type { NanoDollars } from '../../usage/spend/spend-ledger.js';

/** What a caller gets besides the value itself. */
export interface Answered {
  /** The model that served the request. */
  readonly model: PlannedModel;
  /** `provider/model` that the request names, or the default of the organization. */
  readonly requestedModel: string;
  /** The name that the provider gave for it; null: none. */
  readonly providerModel: string | null;
  /** null: the provider did not say. */
  readonly usage: Usage | null;
  /** null: not known, or the model has no price. */
  readonly cost: NanoDollars | null;
  /** All attempts of the request; the last one succeeded. */
  readonly attempts: readonly AttemptRecord[];
}
