import type { Aggregate, DomainEvent } from '../index.js';
import { given } from './index.js';

type DoorEvent = DomainEvent<'Opened', { by: string; note?: string }> | DomainEvent<'Closed', object>;
interface Door {
  readonly open: boolean;
  readonly since: string | null;
}
class DoorIsOpen extends Error {
  readonly code = 'door_is_open';
}
class Opened implements DomainEvent<'Opened', { by: string; note?: string }> {
  readonly type = 'Opened';
  constructor(readonly data: { by: string; note?: string }) {}
}
const door: Aggregate<Door, DoorEvent> = {
  streamType: 'door',
  initial: { open: false, since: null },
  evolve: (_, event, at) => ({ open: event.type === 'Opened', since: at }),
};
const open = (by: string) => (state: Door) => {
  if (state.open) throw new DoorIsOpen('It is open.');
  return [new Opened({ by, note: undefined })];
};

describe('given, when, then', () => {
  it('compares events as the log stores them', () => {
    given(door)
      .when(open('ada'))
      .then({ type: 'Opened', data: { by: 'ada' } });
    given(door, new Opened({ by: 'ada' }))
      .at('2026-02-02T00:00:00.000Z')
      .when(() => [])
      .then();
  });

  it('fails for another event, another state, a missing error or another error', () => {
    const decided = given(door).when(open('ada'));
    expect(() => decided.then({ type: 'Opened', data: { by: 'bob' } })).toThrow();
    expect(() => decided.then()).toThrow();
    expect(() => decided.thenState({ open: false })).toThrow();
    expect(() => decided.thenThrows(DoorIsOpen)).toThrow();
    const refused = given(door, new Opened({ by: 'ada' })).when(open('bob'));
    expect(() => refused.thenThrows(RangeError)).toThrow();
    expect(() => refused.thenThrows(DoorIsOpen, { code: 'other' })).toThrow();
  });

  it('checks the error and the state after the decision', () => {
    given(door, new Opened({ by: 'ada' }))
      .when(open('bob'))
      .thenThrows(DoorIsOpen, { code: 'door_is_open' });
    given(door)
      .at('2026-02-02T00:00:00.000Z')
      .when(open('ada'))
      .thenState({ open: true, since: '2026-02-02T00:00:00.000Z' });
  });
});
