import { Logger } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { FailureReport } from '#libs/content';
import { RequestCommand } from '#libs/messages';
import { accountKey } from '../domain/connection.js';
import { type DeliveryOutcome, MEDIA_UNREADABLE } from '../domain/delivery-outcome.js';
import { NETWORK_UNREACHABLE } from '../domain/network-state.js';
import { sentContent } from '../domain/sent-content.js';
import { type Ended, NetworkWatch } from '../outages/network-watch.js';
import { NetworkLimits } from '../limits/network-limits.js';
import { PreparePost, usableIds } from '../preparations/prepare-post.js';
import { PreparationIsTaken, PreparationsStore } from '../preparations/preparations.store.js';
import type { PublishingProvider } from '../provider.types.js';
import type { Prepared, Refusal, Remedy } from '../domain/provider-publishing.js';
import { ProviderRegistry } from '../registry/provider-registry.js';
import { type Access, AccessTokens } from '../tokens/access-tokens.js';
import { TokensHaveChanged } from '../tokens/ended-grants.js';
import {
  type AttemptProgress,
  committed,
  type DeliveryRequest,
  interrupted,
  MAX_STEPS,
  type Next,
  NOTHING_PREPARED,
  type SendResult,
  type Usable,
} from './delivery-attempt.js';
import { DeliveryHolds } from './delivery-holds.js';
import { DeliveryPace } from './delivery-pace.js';

/**
 * Publishes once.
 * - Steps before the irreversible call continue where an earlier attempt stopped. A network that needs time puts the post back.
 * - A call that provably had no effect is repeated, three calls in all. A file that still cannot be read puts the post back. A
 *   network that still does not answer, asks to wait, or refuses this service itself, is `passing`; which, all workers are told.
 * - A refused token is renewed once. When the new token is refused too, the account has to be connected again.
 * - A call whose answer is lost is never repeated.
 * @throws only before the irreversible call: nothing was published
 */
export class DeliverPost extends RequestCommand<DeliveryRequest, DeliveryOutcome> {}

/** Or after the waits for it have ended. */
const preparesAgain = (remedy: Remedy | undefined): boolean =>
  remedy?.kind === 'prepare-again' ||
  (remedy?.kind === 'wait' && remedy.prepareAgain === true) ||
  (remedy?.kind === 'postpone' && remedy.prepareAgainAfterMs !== undefined);

@CommandHandler(DeliverPost)
export class DeliverPostHandler implements ICommandHandler<DeliverPost> {
  private readonly logger = new Logger(DeliverPostHandler.name);

  constructor(
    private readonly tokens: AccessTokens,
    private readonly holds: DeliveryHolds,
    private readonly providers: ProviderRegistry,
    private readonly preparing: PreparePost,
    private readonly preparations: PreparationsStore,
    private readonly pace: DeliveryPace,
    private readonly limits: NetworkLimits,
    private readonly watch: NetworkWatch,
  ) {}

  async execute({ request }: DeliverPost): Promise<DeliveryOutcome> {
    const delivery = { ...request, content: sentContent(request.content) };
    const access = await this.patiently(() => this.tokens.fresh(delivery.connectionId));
    if (access.kind !== 'usable') {
      const failure = await this.holds.withoutAccess(delivery.connectionId, access);
      return access.kind === 'ended' ? { kind: 'failed', failure } : this.watch.passed(failure);
    }
    const { platform, account } = access;
    const attempt = { ...delivery.network, platform, accountKey: accountKey({ platform, ...account }) };
    try {
      const ended = await this.send(delivery, this.providers.publishing(platform), access);
      return await this.watch.outcomeOf(attempt, ended);
    } catch (error) {
      if (error instanceof PreparationIsTaken) return { kind: 'abandoned' };
      throw error;
    }
  }

  private async send(delivery: DeliveryRequest, provider: PublishingProvider, first: Usable): Promise<Ended> {
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
      preparedAgain ||= next.preparedAgain === true;
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
      const answer = await committed(provider, { ...call, prepared: result.prepared, maySend });
      if (answer.kind === 'accepted') await this.keep(delivery, result.prepared, usableIds(answer.ids));
      return answer;
    };
    return { answer: await this.limits.around(provider, metered, 'post', commit), steps };
  }

  /** Must not throw: the network has accepted the post. Without these ids the others are left to find it by. */
  private async keep(
    delivery: DeliveryRequest,
    prepared: Prepared,
    ids: Readonly<Record<string, string>>,
  ): Promise<void> {
    const kept = { ...prepared, ids: { ...prepared.ids, ...ids } };
    await this.preparations.save(delivery, null, kept).catch((error: unknown) => {
      this.logger.error(error, `Ids of the accepted post ${delivery.postId} could not be stored.`);
    });
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
    progress: AttemptProgress,
  ): Promise<Next> {
    switch (answer.kind) {
      case 'accepted':
        if (provider.firstStep(delivery.content) === null)
          return { outcome: { kind: 'unconfirmed', failure: interrupted } };
        return {
          outcome: { kind: 'accepted', milliseconds: answer.milliseconds, ids: usableIds(answer.ids) },
        };
      case 'not-sent':
      case 'no-answer':
        if (progress.call >= this.pace.calls)
          return { outcome: await this.unanswered(delivery, answer.failure) };
        return { access, waitMs: this.pace.backoff(progress.call) };
      case 'refused':
        return this.afterRefusal(delivery, provider, answer.refusal, access, progress);
      default:
        return { outcome: answer };
    }
  }

  private async unanswered(delivery: DeliveryRequest, failure: FailureReport): Promise<Ended> {
    if (failure.code !== MEDIA_UNREADABLE)
      return { kind: 'passing', failure, says: failure.code === NETWORK_UNREACHABLE ? 'silence' : 'answer' };
    return this.holds.whileUnreadable(delivery);
  }

  private async afterRefusal(
    delivery: DeliveryRequest,
    provider: PublishingProvider,
    refusal: Refusal,
    access: Usable,
    progress: AttemptProgress,
  ): Promise<Next> {
    const { connectionId } = delivery;
    const { failure, remedy, duplicate, existing } = refusal;
    const isLast = progress.call >= this.pace.calls;
    if (remedy?.kind === 'refresh') return this.afterExpiry(connectionId, access, failure, progress);
    const held = await this.holds.afterRefusal(delivery, refusal);
    if (held) return { outcome: held };
    const isWait = remedy?.kind === 'wait';
    if (isWait && !isLast) return { access, waitMs: this.pace.scaled(remedy.milliseconds) };
    if (preparesAgain(remedy) && !progress.preparedAgain && (await this.startsAgain(delivery, provider)))
      return { access, waitMs: this.pace.backoff(progress.call), preparedAgain: true };
    if (isWait && failure.class === 'transient')
      return { outcome: { kind: 'passing', failure, says: 'answer' } };
    if (failure.class === 'configuration') return { outcome: { kind: 'passing', failure, says: 'refusal' } };
    return { outcome: { kind: 'failed', failure, duplicate, existing } };
  }

  /** @returns false: the steps of this content were restarted before */
  private async startsAgain(delivery: DeliveryRequest, provider: PublishingProvider): Promise<boolean> {
    const first = provider.firstStep(delivery.content);
    return first === null || this.preparations.startAgain(delivery, first);
  }

  private async afterExpiry(
    connectionId: string,
    access: Usable,
    refusal: FailureReport,
    progress: AttemptProgress,
  ): Promise<Next> {
    if (progress.renewed) return this.ended(connectionId, access, refusal);
    const renewed = await this.patiently(() => this.tokens.renewed(connectionId, access.tokenVersion));
    // Not every node of a network knows a new token at once: one that is used too early is refused as expired.
    if (renewed.kind === 'usable') return { access: renewed, waitMs: this.pace.backoff(2) };
    const failure = await this.holds.withoutAccess(connectionId, renewed);
    if (renewed.kind !== 'ended') return { outcome: { kind: 'passing', failure, says: 'answer' } };
    return { outcome: { kind: 'failed', failure: { ...failure, networkCode: refusal.networkCode } } };
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
