import type { Journal, JournalRecord, Persistent } from '../../ledger/journal.js';
import type { AcceptedMail } from './accepted-mail.js';

const KEPT = 1_000;

/** The accepted messages, newest last. The ledger counts them; this store shows them. */
export class Mailbox implements Persistent {
  private mails: AcceptedMail[] = [];

  constructor(private readonly journal: Pick<Journal, 'append'>) {}

  get all(): readonly AcceptedMail[] {
    return this.mails;
  }

  /** @param lines stored together with the message */
  add(mail: AcceptedMail, ...lines: readonly JournalRecord[]): void {
    this.keep(mail);
    this.journal.append({ kind: 'mail', mail }, ...lines);
  }

  find(id: string): AcceptedMail | undefined {
    return this.mails.find((mail) => mail.id === id);
  }

  clear(): void {
    this.mails = [];
  }

  restore({ kind, mail }: JournalRecord): void {
    if (kind === 'mail') this.keep(mail as AcceptedMail);
  }

  *snapshot(): Generator<JournalRecord> {
    for (const mail of this.mails) yield { kind: 'mail', mail };
  }

  private keep(mail: AcceptedMail): void {
    this.mails.push(mail);
    if (this.mails.length > KEPT) this.mails.splice(0, KEPT / 10);
  }
}
