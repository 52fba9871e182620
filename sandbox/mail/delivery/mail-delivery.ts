import { randomUUID } from 'node:crypto';
import { Records } from '../../networks/kit/state/records.js';
import type { SandboxContext } from '../../outside-service.js';
import { headerOf } from './mime.js';
import { Recipients } from './recipients.js';
import { SmtpFaults } from './smtp-faults.js';

export interface AcceptedMail {
  readonly id: string;
  readonly at: string;
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

const KEPT = 1_000;

/** What both ways of sending mail share: the accepted messages, what recipients answer, and the faults. */
export class MailDelivery {
  /** The ledger counts messages; this store shows them. */
  readonly mailbox: Records<AcceptedMail>;
  readonly recipients = new Recipients();
  readonly faults = new SmtpFaults();

  constructor(readonly world: SandboxContext) {
    this.mailbox = new Records(world.journal, 'mail', { capacity: KEPT });
  }

  /**
   * Accepts a message: stores it and counts the effect, whose text is the Message-ID.
   * @param of the account that sent it. @param withheld the fault that suppressed the reply
   */
  accept(mail: Omit<AcceptedMail, 'id' | 'at' | 'messageId' | 'subject'>, of: string, withheld?: string) {
    const at = this.world.clock.now().toISOString();
    const accepted: AcceptedMail = {
      id: randomUUID(),
      at,
      messageId: headerOf(mail.raw, 'message-id'),
      subject: headerOf(mail.raw, 'subject'),
      ...mail,
    };
    const effect = this.world.ledger.record({
      network: 'mail',
      kind: 'mail.accepted',
      at,
      account: { id: of, username: of },
      id: accepted.id,
      text: accepted.messageId,
      inReplyTo: null,
      recipients: mail.recipients,
      host: mail.via,
      token: '',
      hints: {},
    });
    this.mailbox.keep(accepted, { kind: 'effect', effect });
    if (withheld !== undefined) this.world.ledger.withhold(effect, withheld);
    return effect;
  }

  clear(): void {
    for (const part of [this.mailbox, this.recipients, this.faults]) part.clear();
  }
}
