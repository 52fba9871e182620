import {
  count,
  flag,
  MAX_SECONDS,
  type MemberChecks,
  membersOf,
  oneOf,
} from '../networks/kit/state/members.js';
import { json, type SandboxResponse } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import { controlBody, controlError, controlRoute } from '../wire/control-request.js';
import type { Route } from '../wire/router.js';
import { dispute, refund } from './billing/charge.js';
import { renew } from './billing/subscribe.js';
import type { Charge } from './state/billed.js';
import type { Distortion } from './state/deliveries.js';
import { newId } from './state/objects.js';
import { AccountCall, type Payments, type PaymentSettings } from './state/payments.js';

const BASE = '/payments';
const SETTINGS: MemberChecks<PaymentSettings> = { executionMs: count(60_000), holdWebhooks: flag };
const DISTORTION: MemberChecks<Distortion> = {
  forged: oneOf('secret', 'body'),
  ageSeconds: count(MAX_SECONDS, -MAX_SECONDS),
};

/** Control routes for tests: accounts and keys, webhooks replayed, late, forged or out of order, renewals. */
export const paymentControlRoutes = (payments: Payments): Route[] => [
  ...accountRoutes(payments),
  ...webhookRoutes(payments),
  controlRoute('GET', `${BASE}/settings`, () => json(200, payments.settings)),
  controlRoute('PUT', `${BASE}/settings`, (call) => {
    const given = membersOf(SETTINGS, controlBody(call), 'a setting');
    payments.settings = { ...payments.settings, ...given };
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
    const distortion = membersOf(DISTORTION, controlBody(call), 'a member of a delivery');
    const data = await payments.deliveries.deliver(row.account, row.value, distortion);
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
