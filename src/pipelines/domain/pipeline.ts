import type { Aggregate } from '#libs/event-store';
import {
  PipelineIsFull,
  PipelineIsTheDefault,
  PipelineNotFound,
  StageIsTheLast,
  StageMovesToItself,
  StageNameIsTaken,
  StageNotFound,
  StagesAreOthers,
} from './pipeline.errors.js';
import type { NewStage, PipelineEvent } from './pipeline.events.js';

export const MAX_STAGES = 50;
export const DEFAULT_STAGES = ['Lead', 'Qualified', 'Proposal', 'Won', 'Lost'] as const;

export interface Stage {
  readonly id: string;
  readonly name: string;
}

export interface Pipeline {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** In the order of the board; at least one. */
  readonly stages: readonly Stage[];
  /** Kept because histories name them. */
  readonly archivedStages: readonly Stage[];
  readonly archived: boolean;
  readonly createdAt: string;
}

export type PipelineState = Pipeline | null;

/** What a change of a pipeline means for its current state. */
export type Decision = (state: PipelineState) => PipelineEvent[];

export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export function create(pipeline: {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** At least one, all of different names. */
  readonly stages: readonly NewStage[];
}): PipelineEvent[] {
  const { id: pipelineId, organizationId, name, isDefault, stages } = pipeline;
  if (stages.length === 0) throw new StageIsTheLast();
  if (stages.length > MAX_STAGES) throw new PipelineIsFull(MAX_STAGES);
  stages.forEach((stage, index) => mustBeUnique(stages.slice(0, index), stage.name));
  return [{ type: 'PipelineCreated', data: { pipelineId, organizationId, name, isDefault, stages } }];
}

export const rename =
  (name: string): Decision =>
  (state) => {
    const { id: pipelineId, name: known } = mustExist(state);
    return name === known ? [] : [{ type: 'PipelineRenamed', data: { pipelineId, name } }];
  };

export const archive: Decision = (state) => {
  const { id: pipelineId, isDefault } = mustExist(state);
  if (isDefault) throw new PipelineIsTheDefault();
  return [{ type: 'PipelineArchived', data: { pipelineId } }];
};

/** @param position the place among the stages, from 0; beyond the end is the end. */
export const addStage =
  ({ id: stageId, name }: NewStage, position?: number): Decision =>
  (state) => {
    const { id: pipelineId, stages } = mustExist(state);
    if (stages.length >= MAX_STAGES) throw new PipelineIsFull(MAX_STAGES);
    mustBeUnique(stages, name);
    const place = Math.min(position ?? stages.length, stages.length);
    return [{ type: 'StageAdded', data: { pipelineId, stageId, name, position: place } }];
  };

export const renameStage =
  (stageId: string, name: string): Decision =>
  (state) => {
    const pipeline = mustExist(state);
    if (stageOf(pipeline, stageId).name === name) return [];
    const others = pipeline.stages.filter(({ id }) => id !== stageId);
    mustBeUnique(others, name);
    return [{ type: 'StageRenamed', data: { pipelineId: pipeline.id, stageId, name } }];
  };

export const reorderStages =
  (stageIds: readonly string[]): Decision =>
  (state) => {
    const { id: pipelineId, stages } = mustExist(state);
    const named = new Set(stageIds);
    const isWhole = named.size === stageIds.length && stages.length === stageIds.length;
    if (!isWhole || stages.some(({ id }) => !named.has(id))) throw new StagesAreOthers();
    if (stages.every(({ id }, index) => id === stageIds[index])) return [];
    return [{ type: 'StagesReordered', data: { pipelineId, stageIds } }];
  };

/** The caller ensures that all cards were moved. @param moveTo the stage that receives them */
export const archiveStage =
  (stageId: string, moveTo?: string): Decision =>
  (state) => {
    const pipeline = mustExist(state);
    stageOf(pipeline, stageId);
    if (moveTo === stageId) throw new StageMovesToItself();
    if (moveTo !== undefined) stageOf(pipeline, moveTo);
    if (pipeline.stages.length === 1) throw new StageIsTheLast();
    return [{ type: 'StageArchived', data: { pipelineId: pipeline.id, stageId } }];
  };

export function mustExist(state: PipelineState): Pipeline {
  if (state === null || state.archived) throw new PipelineNotFound();
  return state;
}

function stageOf({ stages }: Pipeline, stageId: string): Stage {
  const stage = stages.find(({ id }) => id === stageId);
  if (!stage) throw new StageNotFound();
  return stage;
}

function mustBeUnique(stages: readonly Stage[], name: string): void {
  if (stages.some((stage) => nameKey(stage.name) === nameKey(name))) throw new StageNameIsTaken(name);
}

function evolve(state: PipelineState, event: PipelineEvent, at: string): PipelineState {
  if (event.type === 'PipelineCreated') {
    const { pipelineId: id, organizationId, name, isDefault, stages } = event.data;
    return {
      id,
      organizationId,
      name,
      isDefault,
      stages,
      archivedStages: [],
      archived: false,
      createdAt: at,
    };
  }
  return state && evolved(state, event);
}

function evolved(pipeline: Pipeline, event: Exclude<PipelineEvent, { type: 'PipelineCreated' }>): Pipeline {
  const { stages, archivedStages } = pipeline;
  switch (event.type) {
    case 'PipelineRenamed':
      return { ...pipeline, name: event.data.name };
    case 'PipelineArchived':
      return { ...pipeline, archived: true };
    case 'StageAdded': {
      const { stageId: id, name, position } = event.data;
      return { ...pipeline, stages: stages.toSpliced(position, 0, { id, name }) };
    }
    case 'StageRenamed': {
      const { stageId, name } = event.data;
      const renamed = (stage: Stage) => (stage.id === stageId ? { ...stage, name } : stage);
      return { ...pipeline, stages: stages.map(renamed) };
    }
    case 'StagesReordered': {
      const { stageIds } = event.data;
      const place = ({ id }: Stage) => stageIds.indexOf(id);
      return { ...pipeline, stages: stages.toSorted((a, b) => place(a) - place(b)) };
    }
    case 'StageArchived': {
      const isIt = ({ id }: Stage) => id === event.data.stageId;
      const kept = stages.filter((stage) => !isIt(stage));
      return { ...pipeline, stages: kept, archivedStages: [...archivedStages, ...stages.filter(isIt)] };
    }
  }
}

const eventTypes: Record<PipelineEvent['type'], true> = {
  PipelineCreated: true,
  PipelineRenamed: true,
  PipelineArchived: true,
  StageAdded: true,
  StageRenamed: true,
  StagesReordered: true,
  StageArchived: true,
};

export const pipelineAggregate: Aggregate<PipelineState, PipelineEvent> = {
  streamType: 'pipeline',
  initial: null,
  evolve,
  eventTypes,
};
