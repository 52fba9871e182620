import { randomUUID } from 'node:crypto';
import { Records } from '../../networks/kit/state/records.js';
import type { SandboxContext } from '../../outside-service.js';
import { headerOf } from './mime.js';
import { SmtpFaults } from './smtp-faults.js';

/** How the server answers RCPT for a mailbox. */
interface RecipientReply {
  readonly code: number;
  readonly text: string;
}

/** Names by which a behaviour is set, and local parts that have it at every domain. */
export const BEHAVIOURS = ['accept', 'unknown', 'disabled', 'full', 'greylisted', 'policy', 'busy'] as const;
export type Behaviour = (typeof BEHAVIOURS)[number];

/** With enhanced status codes (RFC 3463). */
const REPLIES: Readonly<Record<Exclude<Behaviour, 'accept'>, RecipientReply>> = {
  unknown: { code: 550, text: '5.1.1 No such user here' },
  disabled: { code: 550, text: '5.2.1 The mailbox is disabled' },
  full: { code: 452, text: '4.2.2 The mailbox is full' },
  greylisted: { code: 451, text: '4.7.1 Greylisted, try again later' },
  policy: { code: 550, text: '5.7.1 Message refused by policy' },
  busy: { code: 450, text: '4.3.2 The system is busy' },
};

/** What recipients answer. Unlisted ones accept, unless their local part is the name of a behaviour. */
class Recipients {
  private readonly set = new Map<string, { readonly behaviour: Behaviour; left: number }>();
  private readonly greeted = new Set<string>();

  /** @param times how often before it accepts; a greylisted one accepts after the first time unless told otherwise */
  give(address: string, behaviour: Behaviour, times = Infinity): void {
    this.set.set(address.toLowerCase(), { behaviour, left: times });
  }

  behaviourOf(address: string): Behaviour {
    const own = this.set.get(address.toLowerCase());
    if (own) return own.left > 0 ? own.behaviour : 'accept';
    const [local = ''] = address.toLowerCase().split(/[+@]/);
    return BEHAVIOURS.find((name) => name === local) ?? 'accept';
  }

  /** null: accepted. Counts the answer. */
  reply(from: string, address: string): RecipientReply | null {
    const behaviour = this.behaviourOf(address);
    if (behaviour === 'accept') return null;
    const own = this.set.get(address.toLowerCase());
    if (own) own.left -= 1;
    else if (behaviour === 'greylisted') {
      const pair = `${from}\n${address}`.toLowerCase();
      if (this.greeted.has(pair)) return null;
      this.greeted.add(pair);
    }
    return REPLIES[behaviour];
  }

  clear(): void {
    this.set.clear();
    this.greeted.clear();
  }
}

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
