import type { DomainEvent } from '#libs/event-store';

/** One contact in one pipeline. The note of a move is an erasable row; events contain its id. */
type Happened<Type extends string, Data> = DomainEvent<
  Type,
  { readonly cardId: string; readonly pipelineId: string; readonly contactId: string } & Data
>;

/** `position`: cards of a stage are in ascending order of it. */
export type ContactEnteredStage = Happened<
  'ContactEnteredStage',
  { readonly to: string; readonly position: number; readonly noteId: string | null }
>;
export type ContactMoved = Happened<
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
export type CardRepositioned = Happened<'CardRepositioned', { readonly position: number }>;

export type Movement = ContactEnteredStage | ContactMoved;
export type CardEvent = Movement | CardRepositioned;
