import { threadsBy } from './shown-post.js';

const threadsOf = threadsBy<{ id: string; conversationId: string }>(({ conversationId }) => conversationId);

const post = (id: string, conversationId = id) => ({
  id,
  conversationId,
  authorId: '1',
  text: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  inReplyTo: null,
});

describe('threads of a timeline', () => {
  it('are read from their start, the liveliest first', () => {
    const threads = threadsOf([post('1'), post('2'), post('3', '1'), post('4'), post('5', '1')], 10);
    expect(threads.map((thread) => thread.map(({ id }) => id))).toEqual([['1', '3', '5'], ['4'], ['2']]);
  });

  it('are whole even at the limit', () => {
    const threads = threadsOf([post('1'), post('2'), post('3', '1'), post('4')], 2);
    expect(threads.map((thread) => thread.map(({ id }) => id))).toEqual([['4'], ['1', '3']]);
  });
});
