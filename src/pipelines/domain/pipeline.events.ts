import type { DomainEvent } from '#libs/event-store';

type Happened<Type extends string, Data> = DomainEvent<Type, { readonly pipelineId: string } & Data>;

export interface NewStage {
  readonly id: string;
  readonly name: string;
}

export type PipelineCreated = Happened<
  'PipelineCreated',
  {
    readonly organizationId: string;
    readonly name: string;
    /** True for the default pipeline, which every organization has. */
    readonly isDefault: boolean;
    /** In the order of the board. */
    readonly stages: readonly NewStage[];
  }
>;
export type PipelineRenamed = Happened<'PipelineRenamed', { readonly name: string }>;
/** Hides the pipeline. Its cards stay for the histories of their contacts. */
export type PipelineArchived = Happened<'PipelineArchived', object>;

/** `position` is the place among the stages, from 0. */
export type StageAdded = Happened<
  'StageAdded',
  { readonly stageId: string; readonly name: string; readonly position: number }
>;
export type StageRenamed = Happened<'StageRenamed', { readonly stageId: string; readonly name: string }>;
export type StagesReordered = Happened<'StagesReordered', { readonly stageIds: readonly string[] }>;
/** The stage held no cards. */
export type StageArchived = Happened<'StageArchived', { readonly stageId: string }>;

export type PipelineEvent =
  | PipelineCreated
  | PipelineRenamed
  | PipelineArchived
  | StageAdded
  | StageRenamed
  | StagesReordered
  | StageArchived;
