import type { DomainEvent } from '#libs/event-store';

/** One contact in one pipeline. What somebody wrote about a move is a row that can be erased; events carry its id. */
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
/** Another place in the same stage: no movement, and no part of the history. */
export type CardRepositioned = Happened<'CardRepositioned', { readonly position: number }>;

export type Movement = ContactEnteredStage | ContactMoved;
export type CardEvent = Movement | CardRepositioned;
