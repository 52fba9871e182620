import { ControlRequestIsInvalid, controlBody, controlRoute } from '../wire/control-request.js';
import { json } from '../wire/response.js';
import type { Route } from '../wire/router.js';
import { summaryOf } from './mailbox.site.js';
import type { MailDelivery } from './delivery/mail-delivery.js';
import { type Behaviour, BEHAVIOURS } from './delivery/recipients.js';
import { parseSmtpFault, SMTP_FAULTS } from './delivery/smtp-faults.js';

/** Where the mail server listens, what was accepted, what recipients answer, and faults of sessions. */
export function mailControlRoutes(office: MailDelivery, server: () => object): Route[] {
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
