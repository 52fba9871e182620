import type { Transaction } from '#libs/database';
import { type Reaction, ReactsToEvents, type RecordedEvent } from '#libs/event-store';
import { addToAudit } from './audit-log.js';
import { auditEntryOf } from '../domain/audit-entry.js';

/** One audit row for every event of every feature, in the order of the log. */
@ReactsToEvents()
export class RecordAnAuditEventWhenAnythingHappens implements Reaction {
  readonly name = 'content-ops.audit';
  readonly tables = ['content_ops.audit_event', 'content_ops.audit_chain'];
  /** Reads events as stored, so that later upcasts do not change their hash. */
  readonly reads = 'stored';
  /** A rebuild never replaces recorded entries, even if they differ. */
  readonly rebuild = 'compare';

  handle(transaction: Transaction, events: RecordedEvent[]): Promise<void> {
    return addToAudit(transaction, events.map(auditEntryOf));
  }
}
