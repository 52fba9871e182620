import type { Aggregate } from '#libs/event-store';
import type { BrandEvent } from './brand.events.js';

export interface Brand {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly timezone: string;
  readonly createdAt: string;
}

export type BrandState = Brand | null;

export interface BrandChanges {
  readonly name?: string;
  readonly timezone?: string;
}

export function create(brand: Omit<Brand, 'createdAt'>): BrandEvent[] {
  const { id: brandId, organizationId, name, timezone } = brand;
  return [{ type: 'BrandCreated', data: { brandId, organizationId, name, timezone } }];
}

/** Keeps omitted fields. Unchanged values produce no event. */
export const change =
  ({ name, timezone }: BrandChanges) =>
  (brand: Brand): BrandEvent[] => {
    const brandId = brand.id;
    const events: BrandEvent[] = [];
    if (name !== undefined && name !== brand.name)
      events.push({ type: 'BrandRenamed', data: { brandId, name } });
    if (timezone !== undefined && timezone !== brand.timezone)
      events.push({ type: 'BrandTimezoneChanged', data: { brandId, timezone } });
    return events;
  };

/** No event for the current organization. */
export const transfer =
  (to: string) =>
  (brand: Brand): BrandEvent[] => {
    if (brand.organizationId === to) return [];
    return [{ type: 'BrandTransferred', data: { brandId: brand.id, from: brand.organizationId, to } }];
  };

function evolve(state: BrandState, event: BrandEvent, at: string): BrandState {
  if (event.type === 'BrandCreated') {
    const { brandId: id, organizationId, name, timezone } = event.data;
    return { id, organizationId, name, timezone, createdAt: at };
  }
  return state && evolved(state, event);
}

function evolved(brand: Brand, event: Exclude<BrandEvent, { type: 'BrandCreated' }>): Brand {
  switch (event.type) {
    case 'BrandRenamed':
      return { ...brand, name: event.data.name };
    case 'BrandTimezoneChanged':
      return { ...brand, timezone: event.data.timezone };
    case 'BrandTransferred':
      return { ...brand, organizationId: event.data.to };
  }
}

const eventTypes: Record<BrandEvent['type'], true> = {
  BrandCreated: true,
  BrandRenamed: true,
  BrandTimezoneChanged: true,
  BrandTransferred: true,
};

export const brandAggregate: Aggregate<BrandState, BrandEvent> = {
  streamType: 'brand',
  initial: null,
  evolve,
  eventTypes,
};
