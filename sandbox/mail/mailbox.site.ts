import { html, type Markup } from '#libs/pages';
import { layout } from '../pages/layout.js';
import { ago } from '../pages/relative-time.js';
import type { Call } from '../wire/call.js';
import { controlError, guarded } from '../wire/control-request.js';
import { json, page, type SandboxResponse, withHeaders } from '../wire/response.js';
import { type Route, Router } from '../wire/router.js';
import type { Site } from '../wire/site.js';
import type { AcceptedMail, MailDelivery } from './delivery/mail-delivery.js';
import { headersOf, partsOf, textOf } from './delivery/mime.js';

const REFRESH_SECONDS = 5;
const SHOWN = 100;

function mailboxPage(mails: Iterable<AcceptedMail>, now: Date): Markup {
  const newest = [...mails].slice(-SHOWN).reverse();
  const content = html`<main class="card">
    <p class="stage"><a href="/">Sandbox</a> · a local simulation of networks and providers</p>
    <h1>Mailbox</h1>
    <p>
      Every message that the mail server and the Resend of the sandbox accepted. Nothing is delivered further.
    </p>
    ${newest.length === 0 && html`<p class="empty">No message yet.</p>`}
    <ul>
      ${newest.map(
        ({ id, subject, recipients, at, via }) =>
          html`<li>
            <a href="/mailbox/${id}"><strong>${subject || '(no subject)'}</strong></a
            ><br />
            <span class="quiet">to ${recipients.join(', ')} · ${via} · ${ago(at, now)}</span>
          </li>`,
      )}
    </ul>
  </main>`;
  return layout({ title: 'Mailbox', refreshSeconds: REFRESH_SECONDS, content });
}

function mailPage(mail: AcceptedMail): Markup {
  const subject = mail.subject || '(no subject)';
  const content = html`<main class="card">
    <p class="stage"><a href="/mailbox">Mailbox</a> · ${mail.via}</p>
    <h1>${subject}</h1>
    <p>From ${mail.from} to ${mail.recipients.join(', ')}, ${mail.at}</p>
    ${bodies(mail)}
    <h2>Headers</h2>
    <dl>
      ${headersOf(mail.raw).map(
        ([name, value]) => html`
          <dt><code>${name}</code></dt>
          <dd>${value}</dd>
        `,
      )}
    </dl>
    <p><a href="/mailbox/${mail.id}/raw">Source</a></p>
  </main>`;
  return layout({ title: subject, content });
}

function bodies(mail: AcceptedMail): Markup {
  const parts = partsOf(mail.raw);
  const text = parts.find(({ type, fileName }) => type === 'text/plain' && fileName === null);
  const files = parts.filter(({ fileName }) => fileName !== null);
  return html`${
    htmlOf(mail) !== null &&
    html`<h2>HTML</h2>
      <iframe sandbox="" src="/mailbox/${mail.id}/html" title="The message"></iframe>`
  }
  ${
    text &&
    html`<h2>Text</h2>
      <pre>${textOf(text)}</pre>`
  }
  ${
    files.length > 0 &&
    html`<h2>Files</h2>
      <ul>
        ${files.map(({ fileName, type, body }) => html`<li>${fileName ?? ''} · ${type} · ${body.length} bytes</li>`)}
      </ul>`
  }`;
}

/** The HTML of a message as it was sent; null without one. */
function htmlOf({ raw }: AcceptedMail): string | null {
  const part = partsOf(raw).find(({ type, fileName }) => type === 'text/html' && fileName === null);
  return part ? textOf(part) : null;
}

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
