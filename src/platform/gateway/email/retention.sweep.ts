import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { EmailConfig } from './email.config.js';
import { ProviderEvents } from './webhooks/provider-events.js';

const EVERY_MS = 10 * 60_000;
const EVENTS_EVERY_MS = 5_000;
const BATCH = 1_000;
/** Longer than the provider repeats an event. */
const EVENT_DAYS = 14;

/**
 * A replica of a former release could leave a recipient queued whose message is not due. $1 count. A message without its text is
 * not sent.
 */
const MAKE_DUE = `
  UPDATE gateway.email_message SET due_at = clock_timestamp()
   WHERE id IN (SELECT m.id FROM gateway.email_recipient r JOIN gateway.email_message m ON m.id = r.message_id
                 WHERE r.state = 'queued' AND m.due_at IS NULL AND m.body_deleted_at IS NULL LIMIT $1)
     AND due_at IS NULL
  RETURNING id`;
/** Texts of messages with nothing left to send. $1 days, $2 count */
const DELETE_BODIES = `
  UPDATE gateway.email_message SET text = NULL, html = NULL, headers = '{}', body_deleted_at = now()
   WHERE id IN (SELECT id FROM gateway.email_message
                 WHERE body_deleted_at IS NULL AND due_at IS NULL AND created_at < now() - $1 * interval '1 day' LIMIT $2)
  RETURNING id`;
const DELETE_MESSAGES = `
  DELETE FROM gateway.email_message
   WHERE id IN (SELECT id FROM gateway.email_message WHERE due_at IS NULL AND created_at < now() - $1 * interval '1 day' LIMIT $2)
  RETURNING id`;
const DELETE_EVENTS = `
  DELETE FROM gateway.email_webhook
   WHERE id IN (SELECT id FROM gateway.email_webhook WHERE received_at < now() - $1 * interval '1 day' LIMIT $2)
  RETURNING id`;

/** Applies late events, makes forgotten messages due and deletes what is old. Every replica runs it: repeated passes have no effect. */
@Injectable()
export class EmailSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly events: ProviderEvents,
    private readonly config: EmailConfig,
  ) {
    super();
  }

  @Interval(EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }

  @Interval(EVENTS_EVERY_MS)
  tickEvents(): Promise<void> {
    return this.pass(() => this.events.applyLate());
  }

  async sweep(): Promise<void> {
    const { bodyDays, historyDays } = this.config;
    await this.makeDue();
    await this.delete(DELETE_BODIES, bodyDays);
    await this.delete(DELETE_MESSAGES, historyDays);
    await this.delete(DELETE_EVENTS, EVENT_DAYS);
  }

  private async makeDue(): Promise<void> {
    const found = await this.inBatches(
      BATCH,
      async () => (await this.database.query(MAKE_DUE, [BATCH])).length,
    );
    if (found > 0)
      this.logger.warn(`${found} messages with queued recipients were not due. They are sent now.`);
  }

  private async delete(sql: string, days: number): Promise<void> {
    await this.inBatches(BATCH, async () => (await this.database.query(sql, [days, BATCH])).length);
  }
}
