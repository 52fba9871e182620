import { html, type Markup } from '#libs/pages';
import { layout } from '../pages/layout.js';
import { ago } from '../pages/relative-time.js';
import type { AcceptedMail } from './delivery/mail-delivery.js';
import { headersOf, partsOf, textOf } from './delivery/mime.js';

const REFRESH_SECONDS = 5;
const SHOWN = 100;

export function mailboxPage(mails: Iterable<AcceptedMail>, now: Date): Markup {
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

export function mailPage(mail: AcceptedMail): Markup {
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
export function htmlOf({ raw }: AcceptedMail): string | null {
  const part = partsOf(raw).find(({ type, fileName }) => type === 'text/html' && fileName === null);
  return part ? textOf(part) : null;
}
