import { statement, type Transaction } from '#libs/database';

/*
 * Advisory locks until the end of the transaction. A row lock would assign the transaction id before the append, and a
 * waiting transaction would append out of order.
 */

const PIPELINE = `hashtextextended('pipelines.pipeline/' || $1::uuid, 0)`;

const LOCK_PIPELINE = statement('lock_pipeline', `SELECT pg_advisory_xact_lock(${PIPELINE})`);

const LOCK_CARD = statement(
  'lock_card',
  `SELECT pg_advisory_xact_lock_shared(${PIPELINE}),
     pg_advisory_xact_lock(hashtextextended('pipelines.card/' || $2::uuid, 0))`,
);

/** Exclusive for the pipeline: no other change, no move of its cards. */
export async function lockPipeline(transaction: Transaction, pipelineId: string): Promise<void> {
  await transaction.query(LOCK_PIPELINE, [pipelineId]);
}

/** Exclusive for one card. Other cards of the pipeline may move, but no stage can be archived. */
export async function lockCard(transaction: Transaction, pipelineId: string, cardId: string): Promise<void> {
  await transaction.query(LOCK_CARD, [pipelineId, cardId]);
}

const TRY_LOCK_CARDS = statement(
  'try_lock_cards',
  `SELECT bool_and(pg_try_advisory_xact_lock(hashtextextended('pipelines.card/' || id, 0))) AS locked
   FROM unnest($1::uuid[]) AS id`,
);

/**
 * Exclusive for these cards, without waiting: two transactions that each hold a card the other one wants would deadlock.
 * @returns false when another transaction holds one of them
 */
export async function tryLockCards(transaction: Transaction, cardIds: readonly string[]): Promise<boolean> {
  const [row] = await transaction.query<{ locked: boolean }>(TRY_LOCK_CARDS, [cardIds]);
  return row?.locked === true;
}
