import { SANDBOX_MAILBOX, SANDBOX_RESEND } from '../credentials.js';
import type { SandboxNetwork } from '../outside-service.js';
import { controlBody, ControlRequestIsInvalid, controlRoute } from '../wire/control-request.js';
import { json } from '../wire/response.js';
import type { Route } from '../wire/router.js';
import { type Behaviour, BEHAVIOURS, MailDelivery } from './delivery/mail-delivery.js';
import { parseSmtpFault, SMTP_FAULTS } from './delivery/smtp-faults.js';
import { sandboxDns } from './dns.js';
import { mailboxSite, summaryOf } from './mailbox.site.js';
import { ResendAccounts } from './resend/accounts.js';
import { resendControlRoutes } from './resend/resend-control.routes.js';
import { resendSite } from './resend/resend.site.js';
import { Webhooks } from './resend/webhooks.js';
import { SandboxSmtp } from './smtp.js';

/** Where the mail server listens, what was accepted, what recipients answer, and faults of sessions. */
function mailControlRoutes(office: MailDelivery, server: () => object): Route[] {
  const { mailbox, recipients, faults } = office;
  return [
    controlRoute('GET', '/mail', () => json(200, { smtp: server(), accepted: mailbox.size })),
    controlRoute('GET', '/mail/messages', ({ query }) => {
      const [to, subject] = [query.get('to'), query.get('subject')];
      const data = [...mailbox.all]
        .filter((mail) => to === null || mail.recipients.includes(to))
        .filter((mail) => subject === null || mail.subject === subject);
      return json(200, { data: data.map(summaryOf) });
    }),
    controlRoute('PUT', '/mail/recipients/:address', (call) => {
      const { behaviour, times } = controlBody(call);
      if (!BEHAVIOURS.includes(behaviour as Behaviour))
        throw new ControlRequestIsInvalid(`behaviour must be one of ${BEHAVIOURS.join(', ')}.`);
      if (times !== undefined && (!Number.isInteger(times) || (times as number) < 1))
        throw new ControlRequestIsInvalid('times must be a whole number from 1.');
      const address = call.params.address ?? '';
      recipients.give(address, behaviour as Behaviour, times as number | undefined);
      return json(200, { address, behaviour });
    }),
    controlRoute('GET', '/mail/faults', () => json(200, { data: faults.list(), kinds: SMTP_FAULTS })),
    controlRoute('POST', '/mail/faults', (call) => json(201, faults.add(parseSmtpFault(controlBody(call))))),
    controlRoute('DELETE', '/mail/faults', () => {
      faults.clear();
      return json(200, { data: [] });
    }),
  ];
}

/** Mail servers and mailboxes of the Internet, its DNS, and Resend. */
export const sandboxMail: SandboxNetwork = (world) => {
  const { mailPort, resendWebhookUrl: url } = world.config;
  const { key, webhookSecret: secret } = SANDBOX_RESEND;
  const { user } = SANDBOX_MAILBOX;
  const office = new MailDelivery(world);
  const smtp = new SandboxSmtp(office);
  const accounts = new ResendAccounts(world, key);
  const webhooks = new Webhooks(url === undefined ? null : { url, secret }, world.clock);
  const dns = sandboxDns();
  const parts = { accounts, office, webhooks };
  let port = 0;
  return {
    sites: [mailboxSite(office), resendSite(parts), dns.site],
    controlRoutes: [
      ...mailControlRoutes(office, () => ({ host: world.host, port, user })),
      ...resendControlRoutes(parts),
      dns.controlRoute,
    ],
    persistent: [office.mailbox, ...accounts.persistent],
    accountCards: () => [],
    async open() {
      port = await smtp.listen(mailPort);
    },
    async close() {
      webhooks.close();
      await smtp.close();
    },
    clear() {
      for (const part of [office, accounts, webhooks, dns]) part.clear();
    },
  };
};
