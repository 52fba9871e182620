import { predecessorPosition, threadEligibilityOf, type ThreadPart } from './thread.js';

const part = (overrides: Partial<ThreadPart> = {}): ThreadPart => ({
  postId: 'before',
  status: 'published',
  platformPostId: '42',
  publishedSince: '2026-01-15T10:00:00.000Z',
  ...overrides,
});
const second = { id: 'thread', position: 2 };

describe('a part of a thread', () => {
  it('is eligible as the first part and outside of a thread', () => {
    for (const thread of [null, { id: 'thread', position: 1 }]) {
      expect(threadEligibilityOf(thread, null)).toEqual({ isEligible: true, replyTo: null, since: null });
      expect(predecessorPosition(thread)).toBeNull();
    }
  });

  it('is published after its predecessor, as a reply to it', () => {
    expect(threadEligibilityOf(second, part())).toEqual({
      isEligible: true,
      replyTo: '42',
      since: '2026-01-15T10:00:00.000Z',
    });
    expect(predecessorPosition(second)).toBe(1);
  });

  it.each(['draft', 'scheduled', 'failed'] as const)('waits while the one before it is %s', (status) => {
    expect(threadEligibilityOf(second, part({ status, platformPostId: null }))).toEqual({
      isEligible: false,
      blockedBy: 'before',
    });
  });

  it('waits for the id of a published predecessor', () => {
    expect(threadEligibilityOf(second, part({ platformPostId: null }))).toEqual({
      isEligible: false,
      blockedBy: 'before',
    });
  });

  it('waits if its predecessor was deleted or never created', () => {
    expect(threadEligibilityOf(second, null)).toEqual({ isEligible: false, blockedBy: null });
  });
});
