import type { DomainEvent } from '#libs/event-store';

type Happened<Type extends string, Data> = DomainEvent<Type, { readonly pipelineId: string } & Data>;

export interface NewStage {
  readonly id: string;
  readonly name: string;
}

interface NewPipeline {
  readonly organizationId: string;
  readonly name: string;
  /** True for the default pipeline, which every organization has. */
  readonly isDefault: boolean;
  /** In the order of the board. */
  readonly stages: readonly NewStage[];
}

/** An archived pipeline is hidden; its cards stay for the histories of their contacts. An archived stage held no cards. */
export type PipelineEvent =
  | Happened<'PipelineCreated', NewPipeline>
  | Happened<'PipelineRenamed', { readonly name: string }>
  | Happened<'PipelineArchived', object>
  | Happened<
      'StageAdded',
      {
        readonly stageId: string;
        readonly name: string;
        /** The place among the stages, from 0. */
        readonly position: number;
      }
    >
  | Happened<'StageRenamed', { readonly stageId: string; readonly name: string }>
  | Happened<'StagesReordered', { readonly stageIds: readonly string[] }>
  | Happened<'StageArchived', { readonly stageId: string }>;
