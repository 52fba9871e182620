import { DiscoveryService } from '@nestjs/core';
import type { DomainEvent } from './domain-event.js';
import type { ProjectedStream } from './inline-view.js';
import type { Reaction } from './reactions/reaction.js';
import { Stream } from './stream.js';

/** Declares a provider as a reaction. The process that provides it runs it, and rebuilds its tables. */
export const ReactsToEvents = DiscoveryService.createDecorator<undefined>();

export function declaredReactions(discovery: DiscoveryService): Reaction[] {
  const providers = discovery.getProviders({ metadataKey: ReactsToEvents.KEY });
  return providers.map(({ instance }) => instance as Reaction);
}

/** The providers that are streams with a view. A stream that several modules provide counts once. */
export function declaredViews(discovery: DiscoveryService): ProjectedStream<unknown, DomainEvent>[] {
  const byName = new Map<string, ProjectedStream<unknown, DomainEvent>>();
  for (const { instance } of discovery.getProviders()) {
    if (!(instance instanceof Stream)) continue;
    const { aggregate, view } = instance as Stream<unknown, DomainEvent>;
    if (view) byName.set(view.name, { aggregate, view });
  }
  return [...byName.values()];
}
