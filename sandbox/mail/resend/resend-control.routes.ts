import {
  ControlRequestIsInvalid,
  controlBody,
  controlError,
  controlRoute,
} from '../../wire/control-request.js';
import { type Handled, json } from '../../wire/response.js';
import type { Route } from '../../wire/router.js';
import { FIRST_ACCOUNT, type ResendAccounts } from './accounts.js';
import type { ResendParts } from './resend.routes.js';
import { bounce, eventOf, type SentWebhook, type Webhooks } from './webhooks.js';

const RESEND_KEY = /^re_\w{8,80}$/;

const ACCOUNT_NAME = /^[\w-]{1,60}$/;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//;

/** Accounts, where events are sent, events of choice, and deliveries again: late, with another signature, twice. */
export function resendControlRoutes({ accounts, office, webhooks }: ResendParts): Route[] {
  const now = () => office.world.clock.now();
  return [
    controlRoute('PUT', '/resend/accounts/:name', (call) => {
      const { name = '' } = call.params;
      const { key } = controlBody(call);
      if (!ACCOUNT_NAME.test(name))
        throw new ControlRequestIsInvalid('name must be letters, digits, _ or -.');
      if (typeof key !== 'string' || !RESEND_KEY.test(key))
        throw new ControlRequestIsInvalid(`key must be re_ and 8 to 80 letters, digits or _.`);
      accounts.give(name, key);
      return json(200, { name });
    }),
    controlRoute('PUT', '/resend/webhook', (call) => {
      webhooks.target = targetIn(controlBody(call));
      return json(200, { url: webhooks.target?.url ?? null });
    }),
    controlRoute('GET', '/resend/webhooks', () => json(200, { data: webhooks.all })),
    controlRoute('POST', '/resend/events', async (call) => {
      const event = eventIn(controlBody(call), accounts, now());
      return delivered(webhooks, webhooks.remember(event), controlBody(call));
    }),
    controlRoute('POST', '/resend/webhooks/:id/deliver', async (call) => {
      const webhook = webhooks.all.find(({ id }) => id === call.params.id);
      if (!webhook) return controlError(404, 'No such webhook.');
      return delivered(webhooks, webhook, controlBody(call));
    }),
  ];
}

async function delivered(
  webhooks: Webhooks,
  webhook: SentWebhook,
  { shiftSeconds = 0, forged = false }: Readonly<Record<string, unknown>>,
): Promise<Awaited<Handled>> {
  if (!Number.isInteger(shiftSeconds))
    throw new ControlRequestIsInvalid('shiftSeconds must be a whole number.');
  const options = { shiftSeconds: shiftSeconds as number, forged: forged === true };
  return json(200, { id: webhook.id, status: await webhooks.deliver(webhook, options) });
}

function targetIn({ url, secret }: Readonly<Record<string, unknown>>): Webhooks['target'] {
  if (url === null) return null;
  if (typeof url !== 'string' || !LOOPBACK.test(url))
    throw new ControlRequestIsInvalid('url must be an http address of this machine, or null.');
  if (typeof secret !== 'string' || !secret.startsWith('whsec_'))
    throw new ControlRequestIsInvalid('secret must begin with whsec_.');
  return { url, secret };
}

/** `{type, emailId, to?, bounceType?, at?}`; the email may be unknown. */
function eventIn(body: Readonly<Record<string, unknown>>, accounts: ResendAccounts, now: Date) {
  const { type, emailId, to, bounceType, at } = body;
  if (typeof type !== 'string' || typeof emailId !== 'string')
    throw new ControlRequestIsInvalid('type and emailId must be text.');
  if (to !== undefined && !Array.isArray(to)) throw new ControlRequestIsInvalid('to must be a list.');
  if (at !== undefined && (typeof at !== 'string' || Number.isNaN(Date.parse(at))))
    throw new ControlRequestIsInvalid('at must be an instant.');
  const known = accounts.emails.of(FIRST_ACCOUNT, emailId);
  const unknown = { id: emailId, createdAt: now.toISOString(), from: 'a@platform.invalid', subject: '' };
  const all = known ? [...known.to, ...known.cc, ...known.bcc] : [];
  const more =
    typeof bounceType === 'string' ? { bounce: bounce(bounceType, 'General', 'smtp; 550 5.1.1') } : {};
  return eventOf(
    known ?? unknown,
    (to as string[] | undefined) ?? all,
    at === undefined ? now : new Date(at),
    { type, ...more },
  );
}
