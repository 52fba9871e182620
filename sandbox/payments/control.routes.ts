import { json, type SandboxResponse } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import { ControlRequestIsInvalid, controlBody, controlError, controlRoute } from '../wire/control-request.js';
import type { Route } from '../wire/router.js';
import { renew } from './billing/renew.js';
import { dispute, refund } from './billing/return-money.js';
import type { Caused, PaymentSettings, Payments } from './payments.js';
import { newId } from './state/ids.js';
import type { Charge } from './state/objects.js';
import type { Distortion } from './webhooks/deliveries.js';

const BASE = '/payments';

/** Control routes for tests: accounts and keys, webhooks replayed, late, forged or out of order, renewals. */
export const paymentControlRoutes = (payments: Payments): Route[] => [
  ...accountRoutes(payments),
  ...webhookRoutes(payments),
  controlRoute('GET', `${BASE}/settings`, () => json(200, payments.settings)),
  controlRoute('PUT', `${BASE}/settings`, (call) => {
    payments.settings = { ...payments.settings, ...settingsIn(controlBody(call)) };
    return json(200, payments.settings);
  }),
  controlRoute('POST', `${BASE}/subscriptions/:id/renew`, (call) => {
    const row = payments.subscriptions.find(call.params.id ?? '');
    const caused = row && ofAccount(payments, row.account);
    if (!caused) return controlError(404, 'No such subscription.');
    return json(200, renew(payments, caused, call, row.value));
  }),
  onCharge(payments, 'refund', (caused, call, charge) => refund(payments, caused, call, charge)),
  onCharge(payments, 'dispute', (caused, _, charge) => dispute(payments, caused, charge)),
];

/** What a person does at the provider or at a bank, once for each charge. */
const onCharge = (
  payments: Payments,
  action: 'refund' | 'dispute',
  run: (caused: Caused, call: Call, charge: Charge) => object,
): Route =>
  controlRoute('POST', `${BASE}/payment-intents/:id/${action}`, (call) => {
    const row = payments.intents.find(call.params.id ?? '');
    const charge = row && payments.charges.of(row.account, row.value.latest_charge);
    const caused = row && ofAccount(payments, row.account);
    if (!charge || !caused) return controlError(404, 'No such payment intent.');
    if (action === 'refund' ? charge.refunded : charge.disputed)
      return controlError(409, `There is a ${action} of the charge already.`);
    return json(200, run(caused, call, charge));
  });

function ofAccount(payments: Payments, id: string): Caused | undefined {
  const account = payments.accounts.find(id);
  return account && { account, requestId: null, idempotencyKey: null };
}

const accountRoutes = (payments: Payments): Route[] => [
  controlRoute('GET', `${BASE}/accounts`, () =>
    json(200, { url: payments.baseUrl, data: [...payments.accounts.all] }),
  ),
  controlRoute('POST', `${BASE}/accounts`, (call) => {
    const { name = 'account' } = controlBody(call);
    return json(201, payments.accounts.open(String(name)));
  }),
  controlRoute('POST', `${BASE}/accounts/:account/roll-key`, (call) => {
    const account = payments.accounts.find(call.params.account ?? '');
    if (!account) return controlError(404, 'No such account.');
    const { keepOld, restricted } = controlBody(call);
    const how = { keepOld: keepOld === true, isRestricted: restricted === true };
    return json(200, payments.accounts.roll(account, how));
  }),
];

const webhookRoutes = (payments: Payments): Route[] => [
  controlRoute('GET', `${BASE}/events`, () =>
    json(200, {
      data: [...payments.events.all].map(({ value }) => value),
      attempts: payments.deliveries.attempts,
    }),
  ),
  controlRoute('POST', `${BASE}/webhook-endpoints/:id/roll`, (call) => rollSecret(payments, call)),
  later(`${BASE}/events/:id/deliver`, async (call) => {
    const row = payments.events.find(call.params.id ?? '');
    if (!row) return controlError(404, 'No such event.');
    const data = await payments.deliveries.deliver(row.account, row.value, distortionIn(controlBody(call)));
    return json(200, { data });
  }),
  later(`${BASE}/deliveries/release`, async (call) => {
    const { order = 'original' } = controlBody(call);
    return json(200, { data: await payments.deliveries.release(order === 'reversed') });
  }),
];

/** A route whose response waits for a delivery. */
const later = (path: string, handle: (call: Call) => Promise<SandboxResponse>): Route => ({
  method: 'POST',
  path,
  handle: (call) =>
    handle(call).catch((error: unknown) => {
      if (error instanceof ControlRequestIsInvalid) return controlError(400, error.message);
      throw error;
    }),
});

function rollSecret(payments: Payments, call: Call): SandboxResponse {
  const row = payments.deliveries.endpoints.find(call.params.id ?? '');
  if (!row) return controlError(404, 'No such endpoint.');
  const secret = newId('whsec', 32);
  const former = controlBody(call).keepOld === true ? row.value.secrets : [];
  payments.deliveries.endpoints.put(row.account, { ...row.value, secrets: [secret, ...former] });
  return json(200, { secret });
}

function settingsIn(body: Readonly<Record<string, unknown>>): Partial<PaymentSettings> {
  const { executionMs, holdWebhooks, ...unknown } = body;
  const names = Object.keys(unknown);
  if (names.length > 0) throw new ControlRequestIsInvalid(`${names.join(', ')} is not a setting.`);
  if (
    executionMs !== undefined &&
    (typeof executionMs !== 'number' || executionMs < 0 || executionMs > 60_000)
  )
    throw new ControlRequestIsInvalid('executionMs is a number from 0 to 60000.');
  if (holdWebhooks !== undefined && typeof holdWebhooks !== 'boolean')
    throw new ControlRequestIsInvalid('holdWebhooks is true or false.');
  return {
    ...(executionMs !== undefined && { executionMs }),
    ...(holdWebhooks !== undefined && { holdWebhooks }),
  };
}

function distortionIn({ forged, ageSeconds, ...unknown }: Readonly<Record<string, unknown>>): Distortion {
  if (Object.keys(unknown).length > 0)
    throw new ControlRequestIsInvalid('Only forged and ageSeconds are known.');
  if (forged !== undefined && forged !== 'secret' && forged !== 'body')
    throw new ControlRequestIsInvalid('forged is secret or body.');
  if (ageSeconds !== undefined && !Number.isInteger(ageSeconds))
    throw new ControlRequestIsInvalid('ageSeconds is a whole number.');
  return { ...(forged && { forged }), ...(ageSeconds !== undefined && { ageSeconds: ageSeconds as number }) };
}
