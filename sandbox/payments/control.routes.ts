import { json, type SandboxResponse } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import { ControlRequestIsInvalid, controlBody, controlError, controlRoute } from '../wire/control-request.js';
import type { Route } from '../wire/router.js';
import { dispute, refund } from './billing/charge.js';
import { renew } from './billing/subscribe.js';
import type { Charge } from './state/billed.js';
import type { Distortion } from './state/deliveries.js';
import { newId } from './state/objects.js';
import { AccountCall, type Payments, type PaymentSettings } from './state/payments.js';

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
    const row = payments.tables.subscriptions.find(call.params.id ?? '');
    const caused = row && ofAccount(payments, row.account, call);
    return caused ? json(200, renew(caused, row.value)) : controlError(404, 'No such subscription.');
  }),
  onCharge(payments, 'refund', refund),
  onCharge(payments, 'dispute', dispute),
];

/** What a person does at the provider or at a bank, once for each charge. */
const onCharge = (
  payments: Payments,
  action: 'refund' | 'dispute',
  run: (caused: AccountCall, charge: Charge) => object,
): Route =>
  controlRoute('POST', `${BASE}/payment-intents/:id/${action}`, (call) => {
    const row = payments.tables.intents.find(call.params.id ?? '');
    const caused = row && ofAccount(payments, row.account, call);
    const charge = caused?.of(caused.tables.charges, row?.value.latest_charge ?? '');
    if (!charge || !caused) return controlError(404, 'No such payment intent.');
    if (action === 'refund' ? charge.refunded : charge.disputed)
      return controlError(409, `There is a ${action} of the charge already.`);
    return json(200, run(caused, charge));
  });

function ofAccount(payments: Payments, id: string, call: Call): AccountCall | undefined {
  const account = payments.accounts.find(id);
  return account && new AccountCall(payments, account, call);
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
      data: [...payments.tables.events.all].map(({ value }) => value),
      attempts: payments.deliveries.attempts,
    }),
  ),
  controlRoute('POST', `${BASE}/webhook-endpoints/:id/roll`, (call) => rollSecret(payments, call)),
  controlRoute('POST', `${BASE}/events/:id/deliver`, async (call) => {
    const row = payments.tables.events.find(call.params.id ?? '');
    if (!row) return controlError(404, 'No such event.');
    const data = await payments.deliveries.deliver(row.account, row.value, distortionIn(controlBody(call)));
    return json(200, { data });
  }),
  controlRoute('POST', `${BASE}/deliveries/release`, async (call) => {
    const { order = 'original' } = controlBody(call);
    return json(200, { data: await payments.deliveries.release(order === 'reversed') });
  }),
];

function rollSecret(payments: Payments, call: Call): SandboxResponse {
  const row = payments.tables.endpoints.find(call.params.id ?? '');
  if (!row) return controlError(404, 'No such endpoint.');
  const secret = newId('whsec', 32);
  const former = controlBody(call).keepOld === true ? row.value.secrets : [];
  payments.tables.endpoints.put(row.account, { ...row.value, secrets: [secret, ...former] });
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
