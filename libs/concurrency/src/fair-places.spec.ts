import { FixedClock } from '#libs/clock/testing';
import { FairPlaces } from './fair-places.js';

describe('places of a process', () => {
  let clock: FixedClock;
  let places: FairPlaces;
  beforeEach(() => {
    clock = new FixedClock(new Date('2026-11-23T12:00:00Z'));
    places = new FairPlaces(10, 0.5, clock);
  });

  /** Takes as many as it gets. @returns how each is freed */
  const fill = (organizationId: string): (() => void)[] => {
    const free = places.take(organizationId);
    return free ? [free, ...fill(organizationId)] : [];
  };

  it('are all for the only organization that wants some', () => {
    expect(fill('a')).toHaveLength(10);
  });

  it('are shared when another organization has one: nobody has more than a half', () => {
    expect(places.take('b')).not.toBeNull();
    expect(fill('a')).toHaveLength(5);
    expect(fill('b')).toHaveLength(4);
  });

  it('that become free are for the organization that waits, not for the one with more than its share', () => {
    const held = fill('a');
    expect(places.take('b')).toBeNull();
    held.pop()?.();
    expect(places.take('a')).toBeNull();
    expect(places.take('b')).not.toBeNull();
  });

  it('are for one organization again when the other no longer asks', () => {
    const held = fill('a');
    expect(places.take('b')).toBeNull();
    held.pop()?.();
    clock.advance(10_000);
    expect(places.take('a')).not.toBeNull();
  });

  it('are not kept for an organization that has its share and asks for more', () => {
    const [ofB] = [places.take('b')];
    const held = fill('a');
    expect(held).toHaveLength(5);
    ofB?.();
    expect(places.take('a')).not.toBeNull();
  });

  it('become free once, however often they are given back', () => {
    const [free] = fill('a');
    free?.();
    free?.();
    expect(fill('a')).toHaveLength(1);
  });

  it('are given for something larger than a share, one at a time while others have some', () => {
    places.take('b');
    const large = places.take('a', 8);
    expect(large).not.toBeNull();
    expect(places.take('a', 1)).toBeNull();
    large?.();
    expect(places.take('a', 10)).toBeNull();
  });
});
