import type { Lifecycle, StoredLifecycle } from './lifecycle.js';
import { lifecycleOn } from './lifecycle.js';

describe('the lifecycle of a model on 2026-12-01', () => {
  const active: StoredLifecycle = { lifecycle: 'active', deprecatedAt: null, retiresAt: null };

  it.each<[Partial<StoredLifecycle>, Lifecycle]>([
    [{}, 'active'],
    [{ deprecatedAt: '2026-12-02' }, 'active'],
    [{ deprecatedAt: '2026-12-01' }, 'deprecated'],
    [{ lifecycle: 'deprecated' }, 'deprecated'],
    [{ retiresAt: '2026-12-02' }, 'deprecated'],
    [{ retiresAt: '2026-12-01' }, 'retired'],
    [{ lifecycle: 'deprecated', retiresAt: '2026-11-30' }, 'retired'],
    [{ lifecycle: 'retired' }, 'retired'],
  ])('of %j is %s', (stored, expected) =>
    expect(lifecycleOn('2026-12-01', { ...active, ...stored })).toBe(expected),
  );
});
