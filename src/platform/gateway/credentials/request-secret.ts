import { RequestIsNotValid } from '#libs/http';
import type { CredentialProvider } from './providers.js';
import { type AcceptedSecret, acceptSecret, SecretIsNotValid } from './secrets.js';

/** The secret of a request body. @throws RequestIsNotValid, which never contains the secret */
export function acceptedSecret(
  provider: CredentialProvider,
  secret: unknown,
  isOwn: boolean,
): AcceptedSecret {
  try {
    return acceptSecret(provider, secret, isOwn);
  } catch (error) {
    if (!(error instanceof SecretIsNotValid)) throw error;
    const { member, detail } = error;
    throw notValid(`/secret${member}`, 'secret_not_valid', detail);
  }
}

const notValid = (member: string, code: string, detail: string): RequestIsNotValid =>
  new RequestIsNotValid([{ pointer: `#${member}`, code, detail }]);

/**
 * Tokens of channels are of the platform's client, so the quota is of its Google project: an organization cannot name another one.
 * @throws RequestIsNotValid
 */
export function assertScope(provider: CredentialProvider, scope: 'organization' | 'platform'): void {
  if (provider === 'youtube' && scope !== 'platform')
    throw notValid(
      '/scope',
      'not_allowed',
      "must be platform for youtube: the quota is of the platform's Google project",
    );
}

/** @param isRequired whether a credential of `youtube` must have one @throws RequestIsNotValid */
export function acceptedProject(
  provider: CredentialProvider,
  project: string | undefined,
  isRequired: boolean,
): string | undefined {
  const needsProject = provider === 'youtube';
  if (project !== undefined && !needsProject)
    throw notValid('/project', 'not_allowed', 'must be left out, except for youtube');
  if (project === undefined && needsProject && isRequired)
    throw notValid('/project', 'required', 'is required: the quota belongs to the Google project');
  return project;
}
