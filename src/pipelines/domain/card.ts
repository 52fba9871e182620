import type { Aggregate, DomainEvent } from '#libs/event-store';

/** One contact in one pipeline. The note of a move is an erasable row; events contain its id. */
type Happened<Type extends string, Data> = DomainEvent<
  Type,
  { readonly cardId: string; readonly pipelineId: string; readonly contactId: string } & Data
>;

/** `position`: cards of a stage are in ascending order of it. */
type ContactEnteredStage = Happened<
  'ContactEnteredStage',
  { readonly to: string; readonly position: number; readonly noteId: string | null }
>;
type ContactMoved = Happened<
  'ContactMoved',
  {
    readonly from: string;
    readonly to: string;
    readonly position: number;
    readonly noteId: string | null;
    /** Whole seconds in the stage it left. */
    readonly secondsInPreviousStage: number;
  }
>;
/** A new position in the same stage: not a movement, not shown in the history. */
type CardRepositioned = Happened<'CardRepositioned', { readonly position: number }>;

export type Movement = ContactEnteredStage | ContactMoved;
export type CardEvent = Movement | CardRepositioned;

export interface Card {
  readonly id: string;
  readonly pipelineId: string;
  readonly contactId: string;
  readonly stageId: string;
  readonly position: number;
  /** When it entered its stage. Unchanged by a new position in the stage. */
  readonly enteredAt: string;
}

export type CardState = Card | null;

export interface Move {
  readonly cardId: string;
  readonly pipelineId: string;
  readonly contactId: string;
  readonly to: string;
  /** Default: the end of the stage, or the current position if it is in the stage. */
  readonly position?: number;
  /** A position after all cards of the stage. */
  readonly end: number;
  readonly noteId: string | null;
}

/** Moves the contact to a stage. In its current stage, only the position can change. */
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

const eventTypes: Record<CardEvent['type'], true> = {
  ContactEnteredStage: true,
  ContactMoved: true,
  CardRepositioned: true,
};

export const cardAggregate: Aggregate<CardState, CardEvent> = {
  streamType: 'card',
  initial: null,
  evolve,
  eventTypes,
};
