import type { Response } from 'express';
import type { NamedStart } from '../queries/get-connect-start.js';
import { escaped, isolated, sendPage } from './page.js';

export interface StartToConfirm extends NamedStart {
  readonly startToken: string;
  /** Address that takes the form. */
  readonly action: string;
}

/** Asks a person to confirm for whom an account is connected: the address may have been sent by someone else. */
export function askToConfirm(response: Response, start: StartToConfirm): void {
  const [brand, organization, person] = [start.brandName, start.organizationName, start.personName].map(
    (name) => escaped(isolated(name)),
  );
  const email = start.personEmail === null ? '' : ` (${escaped(isolated(start.personEmail))})`;
  const content = `<p>You are about to choose an account on ${escaped(start.displayName)}. Posts of this brand can then be published to it:</p>
<dl>
<dt>Brand</dt><dd>${brand}</dd>
<dt>Organization</dt><dd>${organization}</dd>
<dt>Requested by</dt><dd>${person}${email}</dd>
</dl>
<p>Continue only if this is you, or if you know this person and want the brand to publish as you.</p>
<form method="post" action="${escaped(start.action)}">
<input type="hidden" name="startToken" value="${escaped(start.startToken)}">
<button class="primary">Continue to ${escaped(start.displayName)}</button>
</form>
<p class="quiet">If you did not ask for this, close this window. Nothing was connected.</p>`;
  const title = `Connect an account on ${start.displayName} to ${isolated(start.brandName)}?`;
  sendPage(response, 200, { title, content });
}

/**
 * Sends the browser to the network, without a redirect of the form: browsers apply `form-action` to all redirects that follow a form, and
 * the network may redirect to further hosts.
 */
export function continueTo(response: Response, displayName: string, authorizationUrl: string): void {
  const content = `<p><a href="${escaped(authorizationUrl)}" rel="noreferrer">Continue to ${escaped(displayName)}</a></p>`;
  sendPage(response, 200, { title: `Continue to ${displayName}`, content, next: authorizationUrl });
}
