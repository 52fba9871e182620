/** Of Standard Webhooks: `whsec_` and the base64 of 24 to 64 random bytes. Source of a regular expression. */
export const SIGNING_SECRET = 'whsec_[A-Za-z0-9+/]{32,88}={0,2}';
export const MIN_KEY_BYTES = 24;

/** Rules of the secrets that sign webhooks. With a masked or shortened one anyone could sign. */
export const WEBHOOK_SECRETS = {
  resend: { form: new RegExp(`^${SIGNING_SECRET}$`), detail: 'must be whsec_ and base64 of 24 to 64 bytes' },
  /** The text itself is the key. */
  stripe: { form: /^whsec_[A-Za-z0-9+/=_-]{16,128}$/, detail: 'must be whsec_ and 16 to 128 characters' },
} as const;

/** The key in a secret of Standard Webhooks. */
export const signingKey = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
