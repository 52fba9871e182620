import { type Executor, statement } from '#libs/database';
import { isSmallGap, spread } from '../domain/card-spacing.js';

export interface PlacedCard {
  readonly id: string;
  readonly position: number;
}

/** The card $1 and, of its stage, up to $2 cards on either side, in their order. */
const AROUND = statement(
  'cards_around_card',
  `WITH me AS (SELECT * FROM pipelines.card_view WHERE id = $1)
   SELECT id, position FROM (
     TABLE me
     UNION ALL SELECT below.* FROM me CROSS JOIN LATERAL (
       SELECT * FROM pipelines.card_view k WHERE k.stage_id = me.stage_id
         AND (k.position, k.entered_at, k.id) < (me.position, me.entered_at, me.id)
       ORDER BY k.position DESC, k.entered_at DESC, k.id DESC LIMIT $2) AS below
     UNION ALL SELECT above.* FROM me CROSS JOIN LATERAL (
       SELECT * FROM pipelines.card_view k WHERE k.stage_id = me.stage_id
         AND (k.position, k.entered_at, k.id) > (me.position, me.entered_at, me.id)
       ORDER BY k.position, k.entered_at, k.id LIMIT $2) AS above
   ) AS around ORDER BY position, entered_at, id`,
);

/** Only one replica at a time spreads the cards of a stage. Others skip it; the next move checks again. */
const MAY_SPREAD = statement(
  'may_spread_cards',
  `SELECT pg_try_advisory_xact_lock(hashtextextended('pipelines:spread:' || stage_id, 0)) AS may
   FROM pipelines.card_view WHERE id = $1`,
);

/** On either side, at first and at most: of more cards at one position, none moves. */
const [NEIGHBOURS, MOST_NEIGHBOURS] = [16, 1_024];

/**
 * New positions for the cards around one that was put close to another. Moves as few cards as possible. None
 * where the gap is large enough, or while another transaction spreads the cards of the stage.
 */
export async function spreadAround(executor: Executor, cardId: string): Promise<PlacedCard[]> {
  if (!hasSmallGap(cardId, await around(executor, cardId, 1))) return [];
  const [row] = await executor.query<{ may: boolean }>(MAY_SPREAD, [cardId]);
  if (!row?.may) return [];
  for (let neighbours = NEIGHBOURS; neighbours <= MOST_NEIGHBOURS; neighbours *= 4) {
    const cards = await around(executor, cardId, neighbours);
    const at = cards.findIndex(({ id }) => id === cardId);
    const below = at === neighbours ? (cards[0] as PlacedCard) : null;
    const above = cards.length - 1 - at === neighbours ? (cards.at(-1) as PlacedCard) : null;
    const moving = cards.slice(below ? 1 : 0, above ? -1 : undefined);
    const positions = spread(moving.length, below?.position ?? null, above?.position ?? null);
    if (positions) return moving.map(({ id }, index) => ({ id, position: positions[index] as number }));
  }
  return [];
}

const around = (executor: Executor, cardId: string, neighbours: number) =>
  executor.query<PlacedCard>(AROUND, [cardId, neighbours]);

function hasSmallGap(cardId: string, cards: readonly PlacedCard[]): boolean {
  const at = cards.findIndex(({ id }) => id === cardId);
  return [at, at + 1].some((index) => {
    const [below, above] = [cards[index - 1], cards[index]];
    return below !== undefined && above !== undefined && isSmallGap(below.position, above.position);
  });
}
