import type { Transaction } from '#libs/database';
import { statement } from '#libs/database';

/*
 * Who waits for whom. Advisory, because locking a row would give the transaction its id before the append, and whoever
 * is overtaken while waiting would be out of order. Held until the transaction ends.
 */

const PIPELINE = `hashtextextended('pipelines.pipeline/' || $1::uuid, 0)`;

const LOCK_PIPELINE = statement('lock_pipeline', `SELECT pg_advisory_xact_lock(${PIPELINE})`);

const LOCK_CARD = statement(
  'lock_card',
  `SELECT pg_advisory_xact_lock_shared(${PIPELINE}),
     pg_advisory_xact_lock(hashtextextended('pipelines.card/' || $2::uuid, 0))`,
);

/** Alone with the pipeline: nobody else changes it, no card of it moves. */
export async function lockPipeline(transaction: Transaction, pipelineId: string): Promise<void> {
  await transaction.query(LOCK_PIPELINE, [pipelineId]);
}

/** Alone with one card, while others of the pipeline may move too, but no stage is archived. */
export async function lockCard(transaction: Transaction, pipelineId: string, cardId: string): Promise<void> {
  await transaction.query(LOCK_CARD, [pipelineId, cardId]);
}
