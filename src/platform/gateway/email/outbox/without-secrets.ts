import { readKeyedSecret, readSmtpSecret } from '../../credentials/secrets.js';
import type { EmailCredential } from '../shared/email-credentials.js';
import type { EmailProvider } from '../email.types.js';
import type { Outcome, RecipientResult } from './delivery.types.js';

/** Shorter beginnings of a secret are found in ordinary words. */
const LEAST_PART = 6;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** As they are stored, and as mail servers get them (RFC 4616). */
function secretsOf(provider: EmailProvider, { secret }: Pick<EmailCredential, 'secret'>): string[] {
  if (provider === 'smtp') {
    const { user, password } = readSmtpSecret(secret);
    return [password, base64(password), base64(`\0${user}\0${password}`)];
  }
  const { key, webhookSecrets } = readKeyedSecret(secret);
  return [key, ...webhookSecrets];
}

/** Providers repeat keys in their messages. What is stored was cut at a length, perhaps within a key. */
function masked(text: string, secret: string): string {
  if (secret === '') return text;
  const whole = text.replaceAll(secret, '…');
  for (let length = Math.min(secret.length - 1, whole.length); length >= LEAST_PART; length -= 1)
    if (whole.endsWith(secret.slice(0, length))) return `${whole.slice(0, -length)}…`;
  return whole;
}

/** The outcome of an attempt, without the secrets of its credential in what it says. */
export function withoutSecrets(
  outcome: Outcome,
  provider: EmailProvider,
  credential: Pick<EmailCredential, 'secret'>,
): Outcome {
  const secrets = secretsOf(provider, credential);
  const clean = (text: string | null) => text && secrets.reduce(masked, text);
  const cleaned = (result: RecipientResult) => ({
    ...result,
    code: clean(result.code),
    detail: clean(result.detail),
  });
  if (outcome.kind === 'results') return { ...outcome, results: outcome.results.map(cleaned) };
  return outcome.kind === 'repeat' ? { ...outcome, detail: clean(outcome.detail) ?? '' } : outcome;
}
