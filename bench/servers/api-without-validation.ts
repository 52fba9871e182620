import type { ValidatedCaller } from '#libs/platform-client';
import { IdentityClient } from '#libs/platform-client';
import { startApi } from '../../src/start-api.js';

/**
 * The business API with the one thing it must never have, a memory of its callers: identity is asked once per
 * credential. Shows what asking every time costs.
 */
const api = await startApi();
const identity = api.app.get(IdentityClient, { strict: false });
const ask = identity.validate.bind(identity);
const answers = new Map<string | undefined, Promise<ValidatedCaller | null>>();
identity.validate = (credentials) => {
  const key = credentials.authorization;
  const answer = answers.get(key) ?? ask(credentials);
  answers.set(key, answer);
  return answer;
};
process.stdout.write(`listens on ${api.url}\n`);
process.once('SIGTERM', () => void api.close().then(() => process.exit(0)));
