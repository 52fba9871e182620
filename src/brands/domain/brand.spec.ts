import { given } from '#libs/event-store/testing';
import type { BrandEvent } from './brand.events.js';
import { type Brand, brandAggregate, change, create, transfer } from './brand.js';

const brandId = '01936d2e-7c1a-7b3e-9f52-000000000001';
const created: BrandEvent = {
  type: 'BrandCreated',
  data: { brandId, organizationId: 'org-1', name: 'Acme', timezone: 'Europe/Berlin' },
};

const decided = (decision: (brand: Brand) => BrandEvent[]) =>
  given(brandAggregate, created).when((state) => decision(state as Brand));

describe('a brand', () => {
  it('begins with its organization, name and time zone', () => {
    given(brandAggregate)
      .when(() => create({ id: brandId, organizationId: 'org-1', name: 'Acme', timezone: 'Europe/Berlin' }))
      .then(created);
  });

  it('names the changed fields only', () => {
    decided(change({ name: 'Acme', timezone: 'UTC' })).then({
      type: 'BrandTimezoneChanged',
      data: { brandId, timezone: 'UTC' },
    });
    decided(change({ name: 'Acme & Co' })).then({
      type: 'BrandRenamed',
      data: { brandId, name: 'Acme & Co' },
    });
  });

  it('does not change by an update with equal values', () => {
    decided(change({ name: 'Acme', timezone: 'Europe/Berlin' })).then();
  });

  it('keeps its id and name when it moves to another organization', () => {
    const decision = decided(transfer('org-2'));
    decision.then({ type: 'BrandTransferred', data: { brandId, from: 'org-1', to: 'org-2' } });
    decision.thenState({ id: brandId, name: 'Acme', organizationId: 'org-2' });
  });

  it('stays where it is when it is there already', () => {
    decided(transfer('org-1')).then();
  });
});
