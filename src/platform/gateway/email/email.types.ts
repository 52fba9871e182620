export const RECIPIENT_STATES = [
  'queued',
  'sending',
  'sent',
  'uncertain',
  'refused',
  'bounced',
  'complained',
  'suppressed',
  'delivered',
] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** Wires by which mail is sent; also the providers of credentials. */
export const EMAIL_PROVIDERS = ['smtp', 'resend'] as const;
export type EmailProvider = (typeof EMAIL_PROVIDERS)[number];
