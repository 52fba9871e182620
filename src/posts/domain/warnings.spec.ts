import { type Neighbour, warningsOf } from './warnings.js';

const time = '2026-01-15T12:00:00.000Z';
const at = (minutes: number) => new Date(new Date(time).getTime() + minutes * 60_000);
const other = (overrides: Partial<Neighbour>): Neighbour => ({
  id: 'other',
  hasSameText: false,
  goesOutAt: null,
  threadId: null,
  ...overrides,
});
const codes = (
  neighbour: Neighbour,
  post: { time: string | null; threadId: string | null } = { time, threadId: null },
) => warningsOf([], [neighbour], { ...post, gapAt: null }).map(({ code }) => code);

describe('warnings', () => {
  it('pass on what the network’s rules say', () => {
    const finding = { ruleId: 'x.text.too-long', message: 'Too long.', pointer: '#/text' };
    expect(warningsOf([finding], [], { time, threadId: null, gapAt: null })).toEqual([
      { code: 'x.text.too-long', message: 'Too long.', pointer: '#/text', postId: null },
    ]);
  });

  it('name a post of the same text', () => {
    expect(codes(other({ hasSameText: true }))).toEqual(['duplicate_text']);
  });

  it('name a post within five minutes, before and after, not one further off', () => {
    for (const minutes of [-5, 0, 5])
      expect(codes(other({ goesOutAt: at(minutes) }))).toEqual(['time_conflict']);
    for (const minutes of [-5.01, 5.01]) expect(codes(other({ goesOutAt: at(minutes) }))).toEqual([]);
  });

  it('do not count drafts as neighbours', () => {
    expect(codes(other({ goesOutAt: null }))).toEqual([]);
    expect(codes(other({ goesOutAt: at(0) }), { time: null, threadId: null })).toEqual([]);
  });

  it('do not hold the parts of a thread against each other', () => {
    expect(codes(other({ goesOutAt: at(0), threadId: 't' }), { time, threadId: 't' })).toEqual([]);
    expect(codes(other({ goesOutAt: at(0), threadId: 'u' }), { time, threadId: 't' })).toEqual([
      'time_conflict',
    ]);
  });

  it('name the part of a thread that is missing', () => {
    expect(warningsOf([], [], { time, threadId: 't', gapAt: 899 })).toEqual([
      expect.objectContaining({ code: 'thread_gap', pointer: '#/threadPosition', postId: null }),
    ]);
  });
});
