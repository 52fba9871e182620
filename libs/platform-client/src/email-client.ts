/** On whose behalf mail is sent or read. */
export interface EmailCall {
  readonly organizationId: string;
  /** The person that the service acts for. */
  readonly userId?: string;
}

interface EmailAddress {
  readonly address: string;
  readonly name?: string;
}

export interface NewEmail {
  /** Repeating the call with the same key and message sends nothing twice. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey: string;
  /** 1 to 50 recipients in all. */
  readonly to: readonly EmailAddress[];
  readonly cc?: readonly EmailAddress[];
  readonly bcc?: readonly EmailAddress[];
  /** Default: that of the organization, else that of the platform. */
  readonly senderId?: string;
  readonly replyTo?: string;
  readonly content:
    | { readonly subject: string; readonly text: string; readonly html?: string }
    | {
        readonly template: {
          readonly name: string;
          readonly version?: number;
          readonly variables?: Readonly<Record<string, string>>;
        };
      };
}

export const EMAIL_STATES = [
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

export interface SentEmail {
  readonly id: string;
  readonly recipients: readonly {
    readonly address: string;
    /** `uncertain`: it may have been delivered, and is not repeated until a person or the service resolves it. */
    readonly state: (typeof EMAIL_STATES)[number];
    readonly code: string | null;
  }[];
}

/** The outcome of a call. `not-sent` and `no-answer` may be repeated with the same key. */
export type EmailResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The message is not valid, or cannot be sent from the sender. `code`: of the problem. */
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }
  /** The gateway refuses this service, or has no credential to send with. */
  | { readonly kind: 'misconfigured'; readonly code: string }
  | { readonly kind: 'not-sent'; readonly reason: string }
  | { readonly kind: 'no-answer'; readonly reason: string };

/** Mail through the gateway. An accepted message is not lost; what became of it is read later. No method throws. */
export abstract class EmailClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract sendEmail(call: EmailCall, email: NewEmail): Promise<EmailResult<SentEmail>>;

  /** null: this service sent no such message for the organization. */
  abstract readEmail(call: EmailCall, id: string): Promise<EmailResult<SentEmail | null>>;
}
