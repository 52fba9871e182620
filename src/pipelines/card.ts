import type { Aggregate } from '#libs/event-store';
import type { CardEvent } from './card.events.js';

export interface Card {
  readonly id: string;
  readonly pipelineId: string;
  readonly contactId: string;
  readonly stageId: string;
  readonly position: number;
  /** When it came into its stage; another place in the stage does not change it. */
  readonly enteredAt: string;
}

/** null: the contact is not in the pipeline. */
export type CardState = Card | null;

export interface Move {
  readonly cardId: string;
  readonly pipelineId: string;
  readonly contactId: string;
  readonly to: string;
  /** Left out: the end of the stage, or where it is when it is in the stage already. */
  readonly position?: number;
  /** A position behind all cards of the stage. */
  readonly end: number;
  readonly noteId: string | null;
}

/** Into a stage, whatever stage the contact is in. To the stage it is in: at most its place changes. */
export const moveTo =
  ({ cardId, pipelineId, contactId, to, position, end, noteId }: Move, now: string) =>
  (card: CardState): CardEvent[] => {
    const which = { cardId, pipelineId, contactId };
    const there = { to, position: position ?? end, noteId };
    if (card === null) return [{ type: 'ContactEnteredStage', data: { ...which, ...there } }];
    if (card.stageId !== to) {
      const secondsInPreviousStage = secondsBetween(card.enteredAt, now);
      const data = { ...which, from: card.stageId, ...there, secondsInPreviousStage };
      return [{ type: 'ContactMoved', data }];
    }
    return position === undefined ? [] : reposition(card, position);
  };

/** Another place in the stage it is in. */
export function reposition(card: Card, position: number): CardEvent[] {
  if (position === card.position) return [];
  const { id: cardId, pipelineId, contactId } = card;
  return [{ type: 'CardRepositioned', data: { cardId, pipelineId, contactId, position } }];
}

/** Never negative: the database's clock may be set back. */
function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000));
}

function evolve(card: CardState, { type, data }: CardEvent, at: string): CardState {
  if (type === 'CardRepositioned') return card && { ...card, position: data.position };
  const { cardId: id, pipelineId, contactId, to: stageId, position } = data;
  return { id, pipelineId, contactId, stageId, position, enteredAt: at };
}

export const cardAggregate: Aggregate<CardState, CardEvent> = { streamType: 'card', initial: null, evolve };
