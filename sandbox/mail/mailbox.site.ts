import { json, page, type SandboxResponse, withHeaders } from '../wire/response.js';
import type { Call } from '../wire/call.js';
import { controlError, guarded } from '../wire/control-request.js';
import { type Route, Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import { htmlOf, mailboxPage, mailPage } from './mailbox.page.js';
import { headersOf, partsOf, textOf } from './delivery/mime.js';
import type { AcceptedMail, MailDelivery } from './delivery/mail-delivery.js';

const PREFIX = 'mailbox';

const FRAMES = "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none'";
/** Scripts, forms and loads of a message are refused, also when its address is opened by itself. */
const MESSAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Pages of the accepted messages, for people and, as JSON, for tests. */
export function mailboxSite(office: MailDelivery): Site {
  const { mailbox, world } = office;
  const onMail = (path: string, answer: (mail: AcceptedMail) => SandboxResponse | null): Route => ({
    method: 'GET',
    path,
    handle: (call: Call) => {
      const mail = mailbox.find(call.params.id ?? '');
      return (mail && answer(mail)) ?? refuse(404);
    },
  });
  const routes: Route[] = [
    { method: 'GET', path: '/', handle: () => page(200, mailboxPage(mailbox.all, world.clock.now())) },
    onMail('/:id', (mail) => withHeaders(page(200, mailPage(mail)), { 'content-security-policy': FRAMES })),
    onMail('/:id/html', (mail) => {
      const body = htmlOf(mail);
      return body === null ? null : { status: 200, headers: MESSAGE_HEADERS, body };
    }),
    onMail('/:id/raw', ({ raw }) => ({
      status: 200,
      headers: { ...MESSAGE_HEADERS, 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(raw, 'latin1').toString('utf8'),
    })),
    onMail('/:id/json', (mail) => json(200, asJson(mail))),
  ];
  return {
    prefix: PREFIX,
    host: 'mailbox',
    standsFor: 'the mailboxes of all recipients',
    router: new Router(routes.map(guarded)),
    refuse,
  };
}

const REFUSALS = { 404: 'No such message.', 413: 'The body is too large.', 500: 'The sandbox failed.' };
const refuse = (status: 404 | 413 | 500): SandboxResponse => controlError(status, REFUSALS[status]);

export const summaryOf = ({ raw, ...mail }: AcceptedMail): object => ({ ...mail, bytes: raw.length });

function asJson(mail: AcceptedMail): object {
  const parts = partsOf(mail.raw);
  const plain = parts.find(({ type, fileName }) => type === 'text/plain' && fileName === null);
  return {
    ...summaryOf(mail),
    headers: headersOf(mail.raw).map(([name, value]) => ({ name, value })),
    text: plain ? textOf(plain) : null,
    html: htmlOf(mail),
    files: parts.flatMap(({ fileName, type, body }) =>
      fileName === null ? [] : [{ fileName, type, bytes: body.length }],
    ),
  };
}
