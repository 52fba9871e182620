import type { Transaction } from '#libs/database';
import { type Reaction, ReactsToEvents, type RecordedEvent } from '#libs/event-store';
import { countActivity } from '../domain/activity.js';
import { addToRollup } from './daily-rollup.js';

@ReactsToEvents()
export class CountActivityWhenContentChanges implements Reaction {
  readonly name = 'content-ops.daily-rollup';
  readonly tables = ['content_ops.daily_rollup'];

  handle(transaction: Transaction, events: RecordedEvent[]): Promise<void> {
    return addToRollup(transaction, countActivity(events));
  }
}
