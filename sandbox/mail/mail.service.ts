import type { SandboxNetwork } from '../outside-service.js';
import { SANDBOX_MAILBOX, SANDBOX_RESEND } from '../credentials.js';
import { sandboxDns } from './dns.js';
import { mailControlRoutes } from './mail-control.routes.js';
import { mailboxSite } from './mailbox.site.js';
import { MailDelivery } from './delivery/mail-delivery.js';
import { resendControlRoutes } from './resend/resend-control.routes.js';
import { ResendAccounts } from './resend/accounts.js';
import { resendSite } from './resend/resend.site.js';
import { Webhooks } from './resend/webhooks.js';
import { SandboxSmtp } from './smtp.js';

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
