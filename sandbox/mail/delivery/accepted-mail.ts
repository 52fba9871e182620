/** A message that the sandbox accepted. */
export interface AcceptedMail {
  readonly id: string;
  readonly at: string;
  /** `smtp` or `resend`. */
  readonly via: 'smtp' | 'resend';
  /** Of the envelope; empty for the null sender. */
  readonly from: string;
  /** Of the envelope. */
  readonly recipients: readonly string[];
  readonly messageId: string;
  readonly subject: string;
  /** The whole message; one character per byte. */
  readonly raw: string;
}
