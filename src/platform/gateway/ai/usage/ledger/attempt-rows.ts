import { columnsOfUsage } from '../spend/quantities.js';
import type { AttemptState, NanoDollars, PlannedAttempt, SettledAttempt } from '../spend/spend-ledger.js';

/** A planned attempt and the id of its row. */
export interface Reservation {
  readonly id: string;
  readonly planned: PlannedAttempt;
}

/** How a reservation ends. */
export interface Settlement extends Omit<SettledAttempt, 'state'> {
  readonly id: string;
  readonly state: AttemptState | 'released';
}

/** 9.2 billion dollars: the largest amount of a column. */
const MOST_NANODOLLARS = 2n ** 63n - 1n;
/** Identifiers and models that a provider returns are its text. */
const LONGEST_TEXT = 200;

/** For a parameter of `jsonb_to_recordset`. @throws RangeError for an amount that is negative or too large */
export const reservationRows = (reservations: readonly Reservation[]): string =>
  JSON.stringify(
    reservations.map(({ id, planned }, place) => ({
      place,
      id,
      request_id: planned.requestId,
      attempt: planned.attempt,
      organization_id: planned.attribution.organizationId,
      application_id: planned.attribution.applicationId,
      application: planned.attribution.application,
      user_id: planned.attribution.userId,
      capability: planned.capability,
      provider: planned.provider,
      credential_id: planned.credentialId,
      model: planned.model,
      estimate: amount(planned.estimate),
      secret: planned.sealedSecret,
      plan_model: planned.expectedPlan?.model,
      plan_returned: planned.expectedPlan?.returned,
      plan: planned.expectedPlan?.fingerprint,
    })),
  );

export const settlementRows = (settlements: readonly Settlement[]): string =>
  JSON.stringify(
    settlements.map(
      ({ id, state, cost, model, failure, providerRequestId, milliseconds, usage, doubt, claim }) => ({
        id,
        state,
        cost: amount(cost),
        returned_model: text(model),
        failure,
        provider_request_id: text(providerRequestId),
        milliseconds: Math.round(milliseconds),
        ...columnsOfUsage(usage),
        doubt,
        claim: claim && { usage: claim.usage, billed: claim.billed?.toString() ?? null },
      }),
    ),
  );

/** The provider was not asked. */
export const released = (id: string, failure: string | null): Settlement => ({
  id,
  state: 'released',
  failure,
  model: null,
  usage: null,
  cost: null,
  providerRequestId: null,
  milliseconds: 0,
  doubt: null,
  claim: null,
});

function amount(value: NanoDollars | null): string | null {
  if (value === null) return null;
  if (value < 0n || value > MOST_NANODOLLARS)
    throw new RangeError(`${value} billionths of a dollar is not an amount.`);
  return value.toString();
}

/** PostgreSQL stores no NUL, and no half of a surrogate pair. */
const text = (value: string | null): string | null =>
  value?.replaceAll('\0', '').slice(0, LONGEST_TEXT).toWellFormed() ?? null;
