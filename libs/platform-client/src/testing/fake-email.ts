import { randomUUID } from 'node:crypto';
import {
  type EmailCall,
  EmailClient,
  type EmailResult,
  type NewEmail,
  type SentEmail,
} from '../email-client.js';

interface Accepted {
  readonly organizationId: string;
  readonly email: NewEmail;
  readonly sent: SentEmail;
}

/** In-memory mail of the gateway. It passes the same contract tests (test/integration/email-contract.int-spec.ts). */
export class FakeEmail extends EmailClient {
  readonly isConfigured = true;
  private readonly accepted: Accepted[] = [];
  private down = false;

  /** What was sent, in its order. */
  get outbox(): readonly Pick<Accepted, 'organizationId' | 'email'>[] {
    return this.accepted;
  }

  goDown(): void {
    this.down = true;
  }

  sendEmail({ organizationId }: EmailCall, email: NewEmail): Promise<EmailResult<SentEmail>> {
    if (this.down) return Promise.resolve({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    const known = this.accepted.find(
      (one) => one.organizationId === organizationId && one.email.idempotencyKey === email.idempotencyKey,
    );
    if (known && JSON.stringify(known.email) !== JSON.stringify(email))
      return Promise.resolve({ kind: 'refused', code: 'idempotency_key_reused', detail: 'Use another key.' });
    if (known) return Promise.resolve({ kind: 'answered', value: known.sent });
    const addresses = [...email.to, ...(email.cc ?? []), ...(email.bcc ?? [])].map(({ address }) => address);
    if (
      addresses.length === 0 ||
      !addresses.every((address) => /^[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+$/.test(address))
    )
      return Promise.resolve({ kind: 'refused', code: 'validation_failed', detail: 'Not valid.' });
    const recipients = addresses.map((address) => ({ address, state: 'queued' as const, code: null }));
    const sent = { id: randomUUID(), recipients };
    this.accepted.push({ organizationId, email, sent });
    return Promise.resolve({ kind: 'answered', value: sent });
  }

  readEmail({ organizationId }: EmailCall, id: string): Promise<EmailResult<SentEmail | null>> {
    if (this.down) return Promise.resolve({ kind: 'not-sent', reason: 'ECONNREFUSED' });
    const found = this.accepted.find((one) => one.sent.id === id && one.organizationId === organizationId);
    const recipients = found?.sent.recipients.map((one) => ({ ...one, state: 'sent' as const })) ?? [];
    return Promise.resolve({ kind: 'answered', value: found ? { id, recipients } : null });
  }
}
