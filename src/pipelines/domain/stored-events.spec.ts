import { given } from '#libs/event-store/testing';
import { cardAggregate, type CardEvent } from './card.js';
import type { PipelineEvent } from './pipeline.events.js';
import { pipelineAggregate } from './pipeline.js';

/**
 * One event of every type as the log has held it since it was first released. A change of shape goes through an
 * upcaster; these samples are never edited, only added to.
 */
const card = '"cardId":"k","pipelineId":"p","contactId":"c"';
const stages = '[{"id":"a","name":"Lead"},{"id":"b","name":"Won"}]';

const storedPipeline: Record<PipelineEvent['type'], string> = {
  PipelineCreated: `{"pipelineId":"p","organizationId":"o","name":"Sales","isDefault":true,"stages":${stages}}`,
  PipelineRenamed: '{"pipelineId":"p","name":"Deals"}',
  PipelineArchived: '{"pipelineId":"p"}',
  StageAdded: '{"pipelineId":"p","stageId":"c","name":"New","position":1}',
  StageRenamed: '{"pipelineId":"p","stageId":"b","name":"Signed"}',
  StagesReordered: '{"pipelineId":"p","stageIds":["b","a"]}',
  StageArchived: '{"pipelineId":"p","stageId":"a"}',
};

const storedCard: Record<CardEvent['type'], string> = {
  ContactEnteredStage: `{${card},"to":"a","position":1,"noteId":null}`,
  ContactMoved: `{${card},"from":"a","to":"b","position":2.5,"noteId":"n","secondsInPreviousStage":90}`,
  CardRepositioned: `{${card},"position":-1}`,
};

const AT = '2026-01-15T10:00:00.000Z';

describe('events as stored', () => {
  it.each<[PipelineEvent['type'][], object]>([
    [['PipelineCreated'], { id: 'p', organizationId: 'o', name: 'Sales', isDefault: true, createdAt: AT }],
    [['PipelineCreated', 'PipelineRenamed'], { name: 'Deals', archived: false }],
    [['PipelineCreated', 'PipelineArchived'], { archived: true }],
    [['PipelineCreated', 'StageAdded'], { stages: [{ id: 'a' }, { id: 'c', name: 'New' }, { id: 'b' }] }],
    [['PipelineCreated', 'StageRenamed'], { stages: [{ name: 'Lead' }, { id: 'b', name: 'Signed' }] }],
    [['PipelineCreated', 'StagesReordered'], { stages: [{ id: 'b' }, { id: 'a' }] }],
    [['PipelineCreated', 'StageArchived'], { stages: [{ id: 'b' }], archivedStages: [{ id: 'a' }] }],
  ])('of a pipeline: %j can be read', (types, expected) => {
    const events = types.map((type) => ({ type, data: JSON.parse(storedPipeline[type]) }));
    expect(given(pipelineAggregate, ...events).at(AT).state).toMatchObject(expected);
  });

  it.each<[CardEvent['type'][], object]>([
    [['ContactEnteredStage'], { id: 'k', pipelineId: 'p', contactId: 'c', stageId: 'a', enteredAt: AT }],
    [['ContactEnteredStage', 'ContactMoved'], { stageId: 'b', position: 2.5 }],
    [['ContactEnteredStage', 'CardRepositioned'], { stageId: 'a', position: -1 }],
  ])('of a card: %j can be read', (types, expected) => {
    const events = types.map((type) => ({ type, data: JSON.parse(storedCard[type]) }));
    expect(given(cardAggregate, ...events).at(AT).state).toMatchObject(expected);
  });
});
