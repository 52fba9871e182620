import { randomUUID } from 'node:crypto';
import type { SandboxContext } from '../../outside-service.js';
import type { AcceptedMail } from './accepted-mail.js';
import { Mailbox } from './mailbox.js';
import { headerOf } from './mime.js';
import { Recipients } from './recipients.js';
import { SmtpFaults } from './smtp-faults.js';

/** What both ways of sending mail share: the accepted messages, what recipients answer, and the faults. */
export class MailDelivery {
  readonly mailbox: Mailbox;
  readonly recipients = new Recipients();
  readonly faults = new SmtpFaults();

  constructor(readonly world: SandboxContext) {
    this.mailbox = new Mailbox(world.journal);
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
    this.mailbox.add(accepted, { kind: 'effect', effect });
    if (withheld !== undefined) this.world.ledger.withhold(effect, withheld);
    return { accepted, effect };
  }

  clear(): void {
    this.mailbox.clear();
    this.recipients.clear();
    this.faults.clear();
  }
}
