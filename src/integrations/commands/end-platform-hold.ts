import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Caller, eventContext } from '#libs/auth';
import { Database } from '#libs/database';
import { EventStore } from '#libs/event-store';
import { RequestCommand } from '#libs/messages';
import { OperatorAccess } from '../connections/connection-access.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import type { PlatformHoldEnded } from '../domain/connection.events.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

/**
 * Ends the hold of a network for all organizations; without a hold nothing happens. Workers publish the held posts within seconds.
 * If the network still refuses the service, the next post sets the hold again, and no post fails.
 * @throws PlatformNotFound, OperatorIsNotConfigured, OperatorIsRequired, ScopeIsMissing
 */
export class EndPlatformHold extends RequestCommand<
  {
    readonly platform: string;
    readonly caller: Caller;
  },
  void
> {}

const EVENT_TYPES: Record<PlatformHoldEnded['type'], true> = { PlatformHoldEnded: true };

@CommandHandler(EndPlatformHold)
export class EndPlatformHoldHandler implements ICommandHandler<EndPlatformHold> {
  constructor(
    private readonly database: Database,
    private readonly events: EventStore,
    private readonly holds: PlatformHolds,
    private readonly operators: OperatorAccess,
    private readonly providers: ProviderRegistry,
  ) {
    events.types.declareUnfolded('platform-hold', EVENT_TYPES);
  }

  async execute({ request: { platform: name, caller } }: EndPlatformHold): Promise<void> {
    const { platform } = this.providers.of(name);
    const { organizationId } = this.operators.must(caller, 'accounts.write');
    await this.database.transaction(async (transaction) => {
      const holds = await this.holds.end(transaction, platform);
      if (holds.length === 0) return;
      const events = holds.map((hold): PlatformHoldEnded => ({
        type: 'PlatformHoldEnded',
        data: { platform, ...hold },
      }));
      await this.events.append(transaction, {
        stream: randomUUIDv7(),
        streamType: 'platform-hold',
        expected: 'none',
        afterWrites: true,
        events,
        metadata: eventContext(caller, { organizationId, brandId: null }),
      });
    });
  }
}
