import { capacityFor, type Sent } from './capacity.js';

const running = (count: number, organizationId: string, isPlatform = false): Sent[] =>
  Array.from({ length: count }, () => ({ organizationId, isPlatform }));

describe('the room for more messages', () => {
  it('is that of the process, at most three quarters of it for one kind of credential', () => {
    expect(capacityFor([], 16)).toEqual({ total: 16, platform: 12, own: 12, ofOne: 4, busy: [] });
  });

  it('counts what is sent now, by kind of credential and by organization', () => {
    const now = [...running(4, 'a'), ...running(1, 'b'), ...running(9, 'a', true)];
    const busy = [
      { organizationId: 'a', isPlatform: false, messages: 4 },
      { organizationId: 'b', isPlatform: false, messages: 1 },
      { organizationId: 'a', isPlatform: true, messages: 9 },
    ];
    expect(capacityFor(now, 16)).toEqual({ total: 2, platform: 3, own: 7, ofOne: 4, busy });
  });

  it('is never negative, and one message is always possible', () => {
    expect(capacityFor(running(3, 'a'), 1)).toMatchObject({ total: 0, own: 0, ofOne: 1 });
    expect(capacityFor([], 1)).toMatchObject({ total: 1, platform: 1, own: 1, ofOne: 1 });
  });
});
