import type { EmailCall, EmailResult, NewEmail, SentEmail } from './email.types.js';

/** Mail through the gateway. An accepted message is not lost; what became of it is read later. No method throws. */
export abstract class EmailClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract sendEmail(call: EmailCall, email: NewEmail): Promise<EmailResult<SentEmail>>;

  /** null: this service sent no such message for the organization. */
  abstract readEmail(call: EmailCall, id: string): Promise<EmailResult<SentEmail | null>>;
}
