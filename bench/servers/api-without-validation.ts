import { HttpIdentityClient, type ValidatedCaller } from '#libs/platform-client';
import { startService } from '#libs/http';
import { apiService } from '../../src/api/service.js';

/**
 * The business API with the one thing it must never have, a memory of its callers: identity is asked once per
 * credential. Shows what asking every time costs. For all clients of identity: the API has more than one.
 */
const ask = Reflect.get(HttpIdentityClient.prototype, 'validate');
const answers = new Map<string | undefined, Promise<ValidatedCaller | null>>();
HttpIdentityClient.prototype.validate = function (credentials) {
  const key = credentials.authorization;
  const answer = answers.get(key) ?? ask.call(this, credentials);
  answers.set(key, answer);
  return answer;
};
const api = await startService(apiService);
process.stdout.write(`listens on ${api.url}\n`);
process.once('SIGTERM', () => void api.close().then(() => process.exit(0)));
