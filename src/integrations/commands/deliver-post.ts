import { Logger } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { inDoubt } from '#libs/content';
import type { FailureReport } from '#libs/content';
import { AccessTokens } from '../tokens/access-tokens.js';
import { ConnectionsStore } from '../connections/connections.store.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import type { DeliveryContent, DeliveryOutcome } from '../delivery-outcome.js';
import { DeliveryPace } from './delivery-pace.js';
import { accessFailure } from '../access-failures.js';
import type { Access } from '../tokens/access-tokens.js';
import { TokensHaveChanged } from '../tokens/ended-grants.js';
import type { PublishAnswer, PublishCall, PublishingProvider, Refusal } from '../provider.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

export interface Delivery {
  readonly connectionId: string;
  readonly attemptId: string;
  readonly content: DeliveryContent;
  /** Asked right before the irreversible call; false: the sender's lease is no longer safe, nothing is sent. */
  readonly maySend: () => boolean;
}

/**
 * Publishes once. What provably had no effect is repeated a few times within the call, a refused token is renewed once, and
 * when that is refused too, a moment later, the account has to be connected again; a call whose answer is lost is never
 * repeated.
 * @throws whatever kept it from being sent or put back: then nothing was published.
 */
export class DeliverPost extends Command<DeliveryOutcome> {
  constructor(readonly delivery: Delivery) {
    super();
  }
}

type Usable = Access & { kind: 'usable' };
/** Either how it ended, or with what to try once more. */
type Step = { readonly outcome: DeliveryOutcome } | { readonly access: Usable; readonly waitMs: number };

@CommandHandler(DeliverPost)
export class DeliverPostHandler implements ICommandHandler<DeliverPost> {
  private readonly logger = new Logger(DeliverPostHandler.name);

  constructor(
    private readonly tokens: AccessTokens,
    private readonly connections: ConnectionsStore,
    private readonly platforms: PlatformHolds,
    private readonly providers: ProviderRegistry,
    private readonly pace: DeliveryPace,
  ) {}

  async execute({ delivery }: DeliverPost): Promise<DeliveryOutcome> {
    const access = await this.patiently(() => this.tokens.fresh(delivery.connectionId));
    if (access.kind !== 'usable') return { kind: 'failed', failure: accessFailure(access.kind) };
    const provider = this.providers.publishing(access.platform);
    return this.send(delivery, provider, access);
  }

  private async send(
    delivery: Delivery,
    provider: PublishingProvider,
    first: Usable,
  ): Promise<DeliveryOutcome> {
    let access = first;
    for (let call = 1; ; call++) {
      const answer = await published(provider, { ...delivery, ...access });
      const step = await this.next(delivery, answer, access, { call, renewed: access !== first });
      if ('outcome' in step) return step.outcome;
      await this.pace.wait(step.waitMs);
      access = step.access;
    }
  }

  /** A renewal that cannot be had right now has no effect either: it is asked for again as often as a call. */
  private async patiently(ask: () => Promise<Access>): Promise<Access> {
    for (let call = 1; ; call++) {
      const access = await ask();
      if (access.kind !== 'unavailable' || call >= this.pace.calls) return access;
      await this.pace.wait(this.pace.backoff(call));
    }
  }

  private async next(
    delivery: Delivery,
    answer: PublishAnswer,
    access: Usable,
    so: { call: number; renewed: boolean },
  ): Promise<Step> {
    switch (answer.kind) {
      case 'published':
      case 'unconfirmed':
      case 'abandoned':
        return { outcome: answer };
      case 'not-sent':
        if (so.call >= this.pace.calls) return { outcome: { kind: 'failed', failure: answer.failure } };
        return { access, waitMs: this.pace.backoff(so.call) };
      case 'refused':
        return this.afterRefusal(delivery, answer.refusal, access, so);
    }
  }

  private async afterRefusal(
    { connectionId }: Delivery,
    { failure, remedy, duplicate }: Refusal,
    access: Usable,
    so: { call: number; renewed: boolean },
  ): Promise<Step> {
    if (remedy?.kind === 'refresh') {
      if (so.renewed) return this.ended(connectionId, access, failure);
      const renewed = await this.patiently(() => this.tokens.renewed(connectionId, access.tokenVersion));
      // Not every node of a network knows a new token at once: shown too early, it would pass for one that has ended.
      if (renewed.kind === 'usable') return { access: renewed, waitMs: this.pace.backoff(2) };
      return { outcome: { kind: 'failed', failure: accessFailure(renewed.kind) } };
    }
    if (remedy?.kind === 'wait' && so.call < this.pace.calls)
      return { access, waitMs: this.pace.scaled(remedy.milliseconds) };
    if (remedy?.kind === 'hold') {
      const until = await this.connections.holdAccount(connectionId, remedy.milliseconds, failure.code);
      return { outcome: { kind: 'held', until, reason: failure.code } };
    }
    if (failure.class === 'configuration') await this.platforms.hold(access.platform, failure.code);
    return { outcome: { kind: 'failed', failure, duplicate } };
  }

  /** For the posts that follow; this one has its outcome whether it is stored or not. */
  private async ended(connectionId: string, { tokenVersion }: Usable, failure: FailureReport): Promise<Step> {
    await this.tokens.end(connectionId, tokenVersion).catch((error: unknown) => {
      if (error instanceof TokensHaveChanged) return;
      this.logger.error(error, `That connection ${connectionId} has to be renewed could not be stored.`);
    });
    return { outcome: { kind: 'failed', failure } };
  }
}

/** A provider that fails in its own code may have sent before it did. */
async function published(provider: PublishingProvider, call: PublishCall): Promise<PublishAnswer> {
  try {
    return await provider.publish(call);
  } catch {
    return { kind: 'unconfirmed', failure: interrupted };
  }
}

const interrupted = inDoubt('Publishing was interrupted. The post may be live.');
