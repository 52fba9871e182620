import { given } from '#libs/event-store/testing';
import { cardAggregate, type CardEvent, type Move, moveTo } from './card.js';

const which = { cardId: 'k', pipelineId: 'p', contactId: 'c' };
const now = '2026-01-15T10:01:30.900Z';
const entered: CardEvent = {
  type: 'ContactEnteredStage',
  data: { ...which, to: 'a', position: 1, noteId: null },
};
const move = (to: string, more: Partial<Move> = {}) =>
  moveTo({ ...which, to, end: 7, noteId: null, ...more }, now);

describe('a card', () => {
  it('comes into the pipeline at the end of a stage', () => {
    given(cardAggregate)
      .when(move('a'))
      .then({ type: 'ContactEnteredStage', data: { ...which, to: 'a', position: 7, noteId: null } });
  });

  it('moves with its note, and records the former stage and the time in it', () => {
    given(cardAggregate, entered)
      .when(move('b', { position: 0.5, noteId: 'n' }))
      .then({
        type: 'ContactMoved',
        data: { ...which, from: 'a', to: 'b', position: 0.5, noteId: 'n', secondsInPreviousStage: 90 },
      });
  });

  it('does not move to where it is, but may take another place there', () => {
    given(cardAggregate, entered).when(move('a')).then();
    given(cardAggregate, entered)
      .when(move('a', { position: 1, noteId: 'n' }))
      .then();
    given(cardAggregate, entered)
      .when(move('a', { position: -3 }))
      .then({ type: 'CardRepositioned', data: { ...which, position: -3 } });
  });

  it('keeps the time it entered when it takes another place', () => {
    given(cardAggregate, entered)
      .when(move('a', { position: 5 }))
      .thenState({ position: 5, enteredAt: '2026-01-15T10:00:00.000Z', stageId: 'a' });
  });

  it('has no negative time in a stage when the clock goes back', () => {
    given(cardAggregate, entered)
      .at('2026-01-15T11:00:00.000Z')
      .when(move('b'))
      .then({
        type: 'ContactMoved',
        data: { ...which, from: 'a', to: 'b', position: 7, noteId: null, secondsInPreviousStage: 0 },
      });
  });
});
