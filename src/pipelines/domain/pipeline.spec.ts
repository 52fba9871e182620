import { given } from '#libs/event-store/testing';
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
import type { PipelineEvent } from './pipeline.events.js';
import {
  addStage,
  archive,
  archiveStage,
  create,
  MAX_STAGES,
  pipelineAggregate,
  rename,
  renameStage,
  reorderStages,
} from './pipeline.js';

const pipelineId = 'p';
const stages = [
  { id: 'a', name: 'Lead' },
  { id: 'b', name: 'Won' },
];
const born = { id: pipelineId, organizationId: 'o', name: 'Sales', isDefault: false, stages };
const created: PipelineEvent = {
  type: 'PipelineCreated',
  data: { pipelineId, organizationId: 'o', name: 'Sales', isDefault: false, stages },
};
const aDefault = { ...created, data: { ...created.data, isDefault: true } } as PipelineEvent;
const archived: PipelineEvent = { type: 'PipelineArchived', data: { pipelineId } };
const stageArchived: PipelineEvent = { type: 'StageArchived', data: { pipelineId, stageId: 'a' } };
const ids = (state: ReturnType<typeof pipelineAggregate.evolve>) => state?.stages.map(({ id }) => id);
const many = Array.from({ length: MAX_STAGES }, (_, n) => ({ id: `s${n}`, name: `Stage ${n}` }));

describe('a pipeline', () => {
  it('begins with its stages in their order', () => {
    given(pipelineAggregate)
      .when(() => create(born))
      .then(created);
  });

  it('has at least one stage and at most so many', () => {
    const none = { ...born, stages: [] };
    const tooMany = { ...born, stages: [...many, { id: 'x', name: 'X' }] };
    given(pipelineAggregate)
      .when(() => create(none))
      .thenThrows(StageIsTheLast);
    given(pipelineAggregate)
      .when(() => create(tooMany))
      .thenThrows(PipelineIsFull);
    given(pipelineAggregate, { ...created, data: { ...created.data, stages: many } })
      .when(addStage({ id: 'x', name: 'X' }))
      .thenThrows(PipelineIsFull);
    given(pipelineAggregate, created, stageArchived).when(archiveStage('b')).thenThrows(StageIsTheLast);
  });

  it.each(['Won', ' won ', 'ＷＯＮ'])('has no two stages of one name: %s', (name) => {
    const twice = { ...born, stages: [...stages, { id: 'c', name }] };
    given(pipelineAggregate)
      .when(() => create(twice))
      .thenThrows(StageNameIsTaken);
    given(pipelineAggregate, created)
      .when(addStage({ id: 'c', name }))
      .thenThrows(StageNameIsTaken);
    given(pipelineAggregate, created).when(renameStage('a', name)).thenThrows(StageNameIsTaken);
  });

  it('may change the case of a stage name, and reuse the name of an archived stage', () => {
    given(pipelineAggregate, created)
      .when(renameStage('b', 'WON'))
      .then({ type: 'StageRenamed', data: { pipelineId, stageId: 'b', name: 'WON' } });
    given(pipelineAggregate, created, stageArchived)
      .when(addStage({ id: 'c', name: 'Lead' }))
      .then({ type: 'StageAdded', data: { pipelineId, stageId: 'c', name: 'Lead', position: 1 } });
  });

  it.each([
    [undefined, ['a', 'b', 'c']],
    [0, ['c', 'a', 'b']],
    [1, ['a', 'c', 'b']],
    [99, ['a', 'b', 'c']],
  ])('takes a new stage at %s', (position, order) => {
    const decide = addStage({ id: 'c', name: 'New' }, position);
    const { state } = given(pipelineAggregate, created);
    expect(ids(given(pipelineAggregate, created, ...decide(state)).state)).toEqual(order);
  });

  it('is put in another order by naming every stage once', () => {
    given(pipelineAggregate, created)
      .when(reorderStages(['b', 'a']))
      .thenState({ stages: stages.toReversed() });
    for (const list of [[], ['a'], ['a', 'a'], ['a', 'b', 'c'], ['a', 'c']])
      given(pipelineAggregate, created).when(reorderStages(list)).thenThrows(StagesAreOthers);
  });

  it('remembers archived stages, for histories', () => {
    given(pipelineAggregate, created)
      .when(archiveStage('a', 'b'))
      .thenState({ stages: [{ id: 'b', name: 'Won' }], archivedStages: [{ id: 'a', name: 'Lead' }] });
  });

  it('archives a stage of its own, whose cards go to another one of its own', () => {
    given(pipelineAggregate, created).when(archiveStage('x')).thenThrows(StageNotFound);
    given(pipelineAggregate, created).when(archiveStage('a', 'x')).thenThrows(StageNotFound);
    given(pipelineAggregate, created).when(archiveStage('a', 'a')).thenThrows(StageMovesToItself);
    given(pipelineAggregate, created, stageArchived).when(renameStage('a', 'X')).thenThrows(StageNotFound);
  });

  it('does not change by an update with equal values', () => {
    given(pipelineAggregate, created).when(rename('Sales')).then();
    given(pipelineAggregate, created).when(renameStage('a', 'Lead')).then();
    given(pipelineAggregate, created)
      .when(reorderStages(['a', 'b']))
      .then();
  });

  it('can be renamed and archived, but the default one stays', () => {
    given(pipelineAggregate, created)
      .when(rename('Deals'))
      .then({ type: 'PipelineRenamed', data: { pipelineId, name: 'Deals' } });
    given(pipelineAggregate, created).when(archive).then(archived);
    given(pipelineAggregate, aDefault).when(archive).thenThrows(PipelineIsTheDefault);
  });

  it.each([
    rename('X'),
    archive,
    addStage({ id: 'x', name: 'X' }),
    renameStage('a', 'X'),
    reorderStages(['b', 'a']),
    archiveStage('a'),
  ])('is not there before it is created and after it is archived: %#', (decision) => {
    given(pipelineAggregate).when(decision).thenThrows(PipelineNotFound);
    given(pipelineAggregate, created, archived).when(decision).thenThrows(PipelineNotFound);
  });
});
