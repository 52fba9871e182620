import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { GatewayAudit } from '../../audit/gateway-audit.js';
import { mailboxOf } from '../shared/addresses.js';
import { BodyIsDeleted, NothingIsUncertain } from '../email.errors.js';
import type { EmailCaller } from '../shared/email-callers.js';
import { SendDueEmail } from '../outbox/send-due-email.worker.js';
import type { ResolveEmailDto } from './dto/resolve.dto.js';
import { type MessageRow, MessagesStore } from './messages.store.js';

/** A service or a person says what became of recipients that are uncertain. */
@Injectable()
export class ResolveMessage {
  constructor(
    private readonly database: Database,
    private readonly messages: MessagesStore,
    private readonly audit: GatewayAudit,
    private readonly worker: SendDueEmail,
  ) {}

  /** @throws MessageNotFound, NothingIsUncertain, BodyIsDeleted */
  resolve(caller: EmailCaller, id: string, { delivered, recipients }: ResolveEmailDto): Promise<MessageRow> {
    return this.database.transaction(async (transaction) => {
      const message = await this.messages.find(caller, id);
      if (!delivered && message.body_deleted_at !== null) throw new BodyIsDeleted();
      const positions = recipients === undefined ? null : positionsOf(message, recipients);
      const resolved = await this.messages.resolve(id, positions, delivered);
      if (resolved.length === 0) throw new NothingIsUncertain();
      await this.audit.record(transaction, {
        action: 'email_resolved',
        actor: caller.actor,
        organizationId: caller.organizationId,
        target: { type: 'email', id },
        details: { delivered, recipients: resolved.length },
      });
      this.database.afterCommit(() => this.worker.wake());
      return this.messages.find(caller, id);
    });
  }
}

function positionsOf({ recipients }: MessageRow, addresses: readonly string[]): number[] {
  const named = new Set(addresses.map(mailboxOf));
  return recipients.filter(({ address }) => named.has(mailboxOf(address))).map(({ position }) => position);
}
