import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { PeriodicSweep } from '#libs/due-work';
import { EmailConfig } from './email.config.js';
import { ProviderEvents } from './webhooks/provider-events.js';

const EVERY_MS = 10 * 60_000;
const EVENTS_EVERY_MS = 5_000;
const BATCH = 1_000;
/** Longer than the provider repeats an event. */
const EVENT_DAYS = 14;

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

/** Applies events that came before their message was known. Every replica runs it: repeated passes have no effect. */
@Injectable()
export class LateEventsSweep extends PeriodicSweep {
  constructor(private readonly events: ProviderEvents) {
    super(EVENTS_EVERY_MS);
  }

  sweep(): Promise<unknown> {
    return this.events.applyLate();
  }
}

/** Deletes what is old. Every replica runs it: repeated passes have no effect. */
@Injectable()
export class EmailSweep extends PeriodicSweep {
  constructor(
    private readonly database: Database,
    private readonly config: EmailConfig,
  ) {
    super(EVERY_MS);
  }

  async sweep(): Promise<void> {
    const { bodyDays, historyDays } = this.config;
    await this.delete(DELETE_BODIES, bodyDays);
    await this.delete(DELETE_MESSAGES, historyDays);
    await this.delete(DELETE_EVENTS, EVENT_DAYS);
  }

  private async delete(sql: string, days: number): Promise<void> {
    await this.inBatches(BATCH, async () => (await this.database.query(sql, [days, BATCH])).length);
  }
}
