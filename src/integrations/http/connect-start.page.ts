import type { Response } from 'express';
import { sendPage } from '#libs/http';
import { html, isolated } from '#libs/pages';
import type { NamedStart } from '../queries/get-connect-start.js';

export interface StartToConfirm extends NamedStart {
  readonly startToken: string;
  readonly action: string;
}

/** Asks a person to confirm for whom an account is connected: the address may have been sent by someone else. */
export function askToConfirm(response: Response, start: StartToConfirm): void {
  const { displayName, brandName, organizationName, personName, personEmail } = start;
  const email = personEmail === null ? '' : ` (${isolated(personEmail)})`;
  const title = `Connect an account on ${displayName} to ${isolated(brandName)}?`;
  const content = html`<main class="card narrow">
    <h1>${title}</h1>
    <p>
      You are about to choose an account on ${displayName}. Posts of this brand can then be published to it:
    </p>
    <dl class="facts">
      <dt>Brand</dt>
      <dd>${isolated(brandName)}</dd>
      <dt>Organization</dt>
      <dd>${isolated(organizationName)}</dd>
      <dt>Requested by</dt>
      <dd>${isolated(personName)}${email}</dd>
    </dl>
    <p>Continue only if this is you, or if you know this person and want the brand to publish as you.</p>
    <form method="post" action="${start.action}">
      <input type="hidden" name="startToken" value="${start.startToken}" />
      <div class="buttons"><button class="primary">Continue to ${displayName}</button></div>
    </form>
    <p class="quiet">If you did not ask for this, close this window. Nothing was connected.</p>
  </main>`;
  sendPage(response, 200, { title, content });
}

/** Without a redirect: browsers apply `form-action` to all redirects that follow a form, and the network may redirect further. */
export function continueTo(response: Response, displayName: string, authorizationUrl: string): void {
  const title = `Continue to ${displayName}`;
  const content = html`<main class="card narrow">
    <h1>${title}</h1>
    <p><a href="${authorizationUrl}" rel="noreferrer">Continue to ${displayName}</a></p>
  </main>`;
  sendPage(response, 200, { title, content, next: authorizationUrl });
}
