import { isIP } from 'node:net';
import { isPublicAddress } from '#libs/outbound-http';
import { WEBHOOK_SECRETS } from './webhook-secrets.js';
import type { CredentialProvider } from './providers.js';

/** The secret of provider `smtp`, stored as JSON. */
export interface SmtpSecret {
  readonly host: string;
  readonly port: number;
  /** TLS from the start; otherwise STARTTLS is required. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
}

/** The secret of providers that send webhooks, `resend` and `stripe`. */
export interface KeyedSecret {
  readonly key: string;
  /** Several while one is replaced. */
  readonly webhookSecrets: readonly string[];
}

/** What can be stored, with the part of it that may be shown. */
export interface AcceptedSecret {
  readonly text: string;
  readonly hint: string;
}

/** Why a secret is refused. @param member pointer below the secret, such as `/host` */
export class SecretIsNotValid extends Error {
  constructor(
    readonly member: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** Visible ASCII: it is sent in a header. No provider's key begins as an object does, which is read in another way. */
const KEY = /^(?!\{)[\x21-\x7e]{8,4096}$/;
const HINT_LENGTH = 4;
/** The hint of a shorter key would disclose too much of it. */
const MIN_LENGTH_WITH_HINT = 20;
const MAX_WEBHOOK_SECRETS = 10;
const MAX_TEXT = 1_024;
const HOST = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** RFC 6761, RFC 6762, RFC 8375 and names that resolvers of clusters and clouds answer. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|home\.arpa|svc|cluster)\.?$/i;

/**
 * Checks a secret as a caller sent it: text, for `smtp` an object, for `resend` and `stripe` text or an object with the secrets of
 * webhooks.
 * @param isOwn the secret of an organization: the host of its mail server must be public
 * @throws SecretIsNotValid
 */
export function acceptSecret(provider: CredentialProvider, secret: unknown, isOwn: boolean): AcceptedSecret {
  if (provider === 'youtube') return withoutSecret(secret);
  if (provider === 'smtp') return acceptSmtp(secret, isOwn);
  if (typeof secret === 'string') return { text: acceptKey(secret, ''), hint: hintOf(secret) };
  if ((provider === 'resend' || provider === 'stripe') && isObject(secret))
    return acceptKeyed(provider, secret);
  throw new SecretIsNotValid('', 'must be the key of the provider as text');
}

/** @param secret as `Credentials.open` returns it, of provider `smtp` */
export const readSmtpSecret = (secret: string): SmtpSecret => JSON.parse(secret) as SmtpSecret;

/** @param secret as `Credentials.open` returns it, of provider `resend` or `stripe` */
export const readKeyedSecret = (secret: string): KeyedSecret =>
  secret.startsWith('{') ? (JSON.parse(secret) as KeyedSecret) : { key: secret, webhookSecrets: [] };

function withoutSecret(secret: unknown): AcceptedSecret {
  if (secret !== undefined && secret !== null && secret !== '')
    throw new SecretIsNotValid('', 'must be left out: calls carry the token of the channel');
  return { text: '', hint: '' };
}

function acceptKeyed(provider: 'resend' | 'stripe', secret: Members): AcceptedSecret {
  refuseOthers(secret, ['key', 'webhookSecrets']);
  const key = acceptKey(secret.key, '/key');
  const given = secret.webhookSecrets ?? [];
  if (!Array.isArray(given) || given.length > MAX_WEBHOOK_SECRETS)
    throw new SecretIsNotValid('/webhookSecrets', `must be a list of up to ${MAX_WEBHOOK_SECRETS} secrets`);
  const { form, detail } = WEBHOOK_SECRETS[provider];
  const webhookSecrets = given.map((one: unknown, index) => {
    if (typeof one === 'string' && form.test(one)) return one;
    throw new SecretIsNotValid(`/webhookSecrets/${index}`, detail);
  });
  return { text: JSON.stringify({ key, webhookSecrets } satisfies KeyedSecret), hint: hintOf(key) };
}

function acceptSmtp(secret: unknown, isOwn: boolean): AcceptedSecret {
  if (!isObject(secret))
    throw new SecretIsNotValid('', 'must be an object of host, port, secure, user and password');
  refuseOthers(secret, ['host', 'port', 'secure', 'user', 'password']);
  const { host, port, secure = port === 465, user, password } = secret;
  if (typeof host !== 'string' || !(HOST.test(host) || isIP(host)))
    throw new SecretIsNotValid('/host', 'must be a host name or an IP address');
  if (isOwn && !canBePublic(host))
    throw new SecretIsNotValid('/host', 'must be a host in the public internet');
  if (!Number.isInteger(port) || (port as number) < 1 || (port as number) > 65_535)
    throw new SecretIsNotValid('/port', 'must be a port from 1 to 65535');
  if (typeof secure !== 'boolean') throw new SecretIsNotValid('/secure', 'must be true or false');
  const accepted = { host: host.toLowerCase(), port: port as number, secure };
  const text = { ...accepted, user: acceptText(user, '/user'), password: acceptText(password, '/password') };
  return { text: JSON.stringify(text satisfies SmtpSecret), hint: `${accepted.host}:${accepted.port}` };
}

/** Rejects hosts that are certainly not public. The connection checks the resolved address. */
function canBePublic(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host);
  // A name whose last label is a number is an IP address in another notation, such as 127.1.
  return host.includes('.') && !LOCAL_NAME.test(host) && !/(^|\.)(\d+|0x[0-9a-f]*)$/i.test(host);
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuseOthers(secret: Members, known: readonly string[]): void {
  const other = Object.keys(secret).find((name) => !known.includes(name));
  if (other !== undefined)
    throw new SecretIsNotValid('', `must have no other members than ${known.join(', ')}`);
}

function acceptKey(value: unknown, member: string): string {
  if (typeof value !== 'string' || !KEY.test(value))
    throw new SecretIsNotValid(
      member,
      'must be 8 to 4096 visible ASCII characters without spaces, and no object as text',
    );
  return value;
}

/** No line breaks: they would end a command of the protocol. */
function acceptText(value: unknown, member: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT || /[\x00-\x1f\x7f]/.test(value))
    throw new SecretIsNotValid(member, `must be 1 to ${MAX_TEXT} characters without control characters`);
  return value;
}

const hintOf = (key: string): string => (key.length < MIN_LENGTH_WITH_HINT ? '' : key.slice(-HINT_LENGTH));
