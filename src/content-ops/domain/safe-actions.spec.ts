import { safeActionsOf } from './safe-actions.js';

const item = {
  id: '0190a000-0000-7000-8000-0000000000aa',
  version: 7,
  allowedActions: ['edit', 'approve', 'reject'],
  proposedTime: null,
};
const NOW = '2026-01-15T12:00:00.000Z';

describe('the safe actions of a content item', () => {
  it('say how to send each of them, bound to the version that was read', () => {
    expect(safeActionsOf(item, NOW)).toEqual([
      {
        action: 'edit',
        method: 'PATCH',
        path: '/api/content-ops/items/0190a000-0000-7000-8000-0000000000aa',
        version: 7,
        ifMatch: '"v7"',
        requires: { scopes: ['posts.write'], body: [] },
      },
      expect.objectContaining({
        action: 'approve',
        method: 'POST',
        path: '/api/content-ops/items/0190a000-0000-7000-8000-0000000000aa/approve',
      }),
      expect.objectContaining({ action: 'reject' }),
    ]);
  });

  it('need the calendar where they put something on it', () => {
    const scopesOf = (action: string, proposedTime: string | null = null) =>
      safeActionsOf({ ...item, allowedActions: [action], proposedTime }, NOW)[0]?.requires.scopes;
    expect(scopesOf('approve')).toEqual(['posts.write']);
    expect(scopesOf('approve', '2026-01-15T12:00:00.001Z')).toEqual(['posts.write', 'calendar.write']);
    expect(scopesOf('approve', NOW)).toEqual(['posts.write']);
    expect(scopesOf('reschedule')).toEqual(['posts.write', 'calendar.write']);
    expect(scopesOf('retry')).toEqual(['posts.write', 'calendar.write']);
    expect(scopesOf('resolve')).toEqual(['posts.write']);
  });

  it('name what the body must say', () => {
    const bodies = safeActionsOf({ ...item, allowedActions: ['reschedule', 'resolve', 'retry'] }, NOW);
    expect(bodies.map(({ requires }) => requires.body)).toEqual([['scheduledAt'], ['delivered'], []]);
  });

  it('are only those of this surface', () => {
    expect(safeActionsOf({ ...item, allowedActions: ['revert', 'delete'] }, NOW)).toEqual([]);
  });
});
