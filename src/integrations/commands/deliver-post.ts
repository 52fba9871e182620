import { Logger } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { DeliveryFile, FailureReport } from '#libs/content';
import { accessFailure } from '../domain/access-failures.js';
import { ConnectionsStore } from '../connections/connections.store.js';
import { PlatformHolds } from '../connections/platform-holds.store.js';
import { MEDIA_UNREADABLE } from '../domain/media-unreadable.js';
import type { DeliveryContent, DeliveryOutcome } from '../domain/delivery-outcome.js';
import { NetworkLimits } from '../limits/network-limits.js';
import type { PostToPrepare } from '../preparations/prepare-post.js';
import { PreparePost } from '../preparations/prepare-post.js';
import { PreparationIsTaken, PreparationsStore } from '../preparations/preparations.store.js';
import type { PreparationKey } from '../preparations/preparations.store.js';
import type { PublishingProvider } from '../provider.js';
import type { CommitResponse, Prepared, Refusal } from '../domain/provider-publishing.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import type { Access } from '../tokens/access-tokens.js';
import { TokensHaveChanged } from '../tokens/ended-grants.js';
import { committed, interrupted } from './committed.js';
import { DeliveryPace } from './delivery-pace.js';

export interface DeliveryRequest extends PreparationKey, Pick<PostToPrepare, 'journal'> {
  readonly content: DeliveryContent;
  /** In the order of `content.mediaIds`. */
  readonly files: readonly DeliveryFile[];
  /** Checked right before the irreversible call; false: the sender's lease may expire during it, nothing is sent. */
  readonly maySend: () => boolean;
}

/**
 * Publishes once.
 * - Steps before the irreversible call continue where an earlier attempt stopped. A network that needs time puts the post back.
 * - A call that provably had no effect is repeated DELIVERY_CALLS times. A file that still cannot be read puts the post back.
 * - A refused token is renewed once. When the new token is refused too, the account has to be connected again.
 * - A call whose answer is lost is never repeated.
 * @throws only before the irreversible call: nothing was published
 */
export class DeliverPost extends Command<DeliveryOutcome> {
  constructor(readonly request: DeliveryRequest) {
    super();
  }
}

type Usable = Access & { kind: 'usable' };
/** The outcome, or what the next call needs. */
type Next = { readonly outcome: DeliveryOutcome } | { readonly access: Usable; readonly waitMs: number };
type SendResult =
  | CommitResponse
  | (DeliveryOutcome & { readonly kind: 'held' | 'failed' })
  | { readonly kind: 'no-answer'; readonly failure: FailureReport };

interface Tried {
  readonly call: number;
  readonly renewed: boolean;
  readonly preparedAgain: boolean;
}

/** Of one attempt: twice the parts of the largest upload. */
const MAX_STEPS = 2_000;

const UNREADABLE_WAIT_MS = 60_000;
const NOTHING_PREPARED: Prepared = { ids: {}, addresses: {}, notes: {}, ageMs: 0 };

@CommandHandler(DeliverPost)
export class DeliverPostHandler implements ICommandHandler<DeliverPost> {
  private readonly logger = new Logger(DeliverPostHandler.name);

  constructor(
    private readonly tokens: AccessTokens,
    private readonly connections: ConnectionsStore,
    private readonly platforms: PlatformHolds,
    private readonly providers: ProviderRegistry,
    private readonly preparing: PreparePost,
    private readonly preparations: PreparationsStore,
    private readonly pace: DeliveryPace,
    private readonly limits: NetworkLimits,
  ) {}

  async execute({ request: delivery }: DeliverPost): Promise<DeliveryOutcome> {
    const access = await this.patiently(() => this.tokens.fresh(delivery.connectionId));
    if (access.kind !== 'usable') return { kind: 'failed', failure: accessFailure(access.kind) };
    const provider = this.providers.publishing(access.platform);
    try {
      return await this.send(delivery, provider, access);
    } catch (error) {
      if (error instanceof PreparationIsTaken) return { kind: 'abandoned' };
      throw error;
    }
  }

  private async send(
    delivery: DeliveryRequest,
    provider: PublishingProvider,
    first: Usable,
  ): Promise<DeliveryOutcome> {
    let access = first;
    let preparedAgain = false;
    let maxSteps = MAX_STEPS;
    for (let call = 1; ; call++) {
      const { answer, steps } = await this.once(delivery, provider, access, maxSteps);
      maxSteps -= steps;
      if (steps > 0) call = 1;
      const next = await this.next(delivery, provider, answer, access, {
        call,
        renewed: access !== first,
        preparedAgain,
      });
      if ('outcome' in next) return next.outcome;
      preparedAgain ||= isToPrepareAgain(answer);
      await this.pace.wait(next.waitMs);
      access = next.access;
    }
  }

  /** Takes the remaining steps, then makes the irreversible call. Must not throw after that call has begun. */
  private async once(
    delivery: DeliveryRequest,
    provider: PublishingProvider,
    { account, accessToken, organizationId }: Usable,
    maxSteps: number,
  ): Promise<{ answer: SendResult; steps: number }> {
    const { attemptId, connectionId, content, files, maySend, journal } = delivery;
    const metered = { connectionId, account };
    const call = { account, accessToken, organizationId, attemptId, content, files };
    const firstStep = provider.firstStep(content);
    if (firstStep === null) {
      const commit = () => committed(provider, { ...call, prepared: NOTHING_PREPARED, maySend });
      return { answer: await this.limits.around(provider, metered, 'post', commit), steps: 0 };
    }
    const post = { key: delivery, call, firstStep, maxSteps, maySend, journal };
    const result = await this.preparing.run(provider, post);
    const { steps } = result;
    if (result.kind === 'stopped') return { answer: result.why, steps };
    const commit = async () => {
      await this.preparations.startCommit(delivery);
      return committed(provider, { ...call, prepared: result.prepared, maySend });
    };
    return { answer: await this.limits.around(provider, metered, 'post', commit), steps };
  }

  /** A renewal that is unavailable had no effect: it is repeated as often as a call. */
  private async patiently(ask: () => Promise<Access>): Promise<Access> {
    for (let call = 1; ; call++) {
      const access = await ask();
      if (access.kind !== 'unavailable' || call >= this.pace.calls) return access;
      await this.pace.wait(this.pace.backoff(call));
    }
  }

  private async next(
    delivery: DeliveryRequest,
    provider: PublishingProvider,
    answer: SendResult,
    access: Usable,
    tried: Tried,
  ): Promise<Next> {
    switch (answer.kind) {
      case 'published':
      case 'unconfirmed':
      case 'abandoned':
      case 'held':
      case 'failed':
        return { outcome: answer };
      case 'accepted':
        return { outcome: { kind: 'unconfirmed', failure: interrupted } };
      case 'not-sent':
      case 'no-answer':
        if (tried.call >= this.pace.calls)
          return { outcome: await this.unanswered(delivery, answer.failure) };
        return { access, waitMs: this.pace.backoff(tried.call) };
      case 'refused':
        return this.afterRefusal(delivery, provider, answer.refusal, access, tried);
    }
  }

  /** An outage of this product's own store must not fail a post: it is tried again until its late window ends. */
  private async unanswered(delivery: DeliveryRequest, failure: FailureReport): Promise<DeliveryOutcome> {
    if (failure.code !== MEDIA_UNREADABLE) return { kind: 'failed', failure };
    const until = await this.preparations.postponed(delivery, UNREADABLE_WAIT_MS);
    return { kind: 'held', until, reason: failure.code };
  }

  private async afterRefusal(
    delivery: DeliveryRequest,
    provider: PublishingProvider,
    { failure, remedy, duplicate }: Refusal,
    access: Usable,
    tried: Tried,
  ): Promise<Next> {
    const { connectionId } = delivery;
    const isLast = tried.call >= this.pace.calls;
    if (remedy?.kind === 'refresh') return this.afterExpiry(connectionId, access, failure, tried);
    if (remedy?.kind === 'wait' && !isLast) return { access, waitMs: this.pace.scaled(remedy.milliseconds) };
    if (
      remedy?.kind === 'prepare-again' &&
      !tried.preparedAgain &&
      (await this.startsAgain(delivery, provider))
    )
      return { access, waitMs: this.pace.backoff(tried.call) };
    if (remedy?.kind === 'hold' || remedy?.kind === 'postpone') {
      const { kind, milliseconds } = remedy;
      const until =
        kind === 'hold'
          ? await this.connections.holdAccount(connectionId, milliseconds, failure.code)
          : await this.preparations.postponed(delivery, milliseconds);
      return { outcome: { kind: 'held', until, reason: failure.code } };
    }
    if (failure.class === 'configuration') await this.platforms.hold(access.platform, failure.code);
    return { outcome: { kind: 'failed', failure, duplicate } };
  }

  /** @returns false: the steps of this content were restarted before */
  private async startsAgain(delivery: DeliveryRequest, provider: PublishingProvider): Promise<boolean> {
    const firstStep = provider.firstStep(delivery.content);
    return firstStep === null || this.preparations.startAgain(delivery, firstStep);
  }

  private async afterExpiry(
    connectionId: string,
    access: Usable,
    failure: FailureReport,
    tried: Tried,
  ): Promise<Next> {
    if (tried.renewed) return this.ended(connectionId, access, failure);
    const renewed = await this.patiently(() => this.tokens.renewed(connectionId, access.tokenVersion));
    // Not every node of a network knows a new token at once: one that is used too early is refused as expired.
    if (renewed.kind === 'usable') return { access: renewed, waitMs: this.pace.backoff(2) };
    return { outcome: { kind: 'failed', failure: accessFailure(renewed.kind) } };
  }

  /** For later posts. The outcome of this post does not depend on whether it is stored. */
  private async ended(connectionId: string, { tokenVersion }: Usable, failure: FailureReport): Promise<Next> {
    await this.tokens.end(connectionId, tokenVersion).catch((error: unknown) => {
      if (error instanceof TokensHaveChanged) return;
      this.logger.error(error, `That connection ${connectionId} has to be renewed could not be stored.`);
    });
    return { outcome: { kind: 'failed', failure } };
  }
}

const isToPrepareAgain = (answer: SendResult): boolean =>
  answer.kind === 'refused' && answer.refusal.remedy?.kind === 'prepare-again';
