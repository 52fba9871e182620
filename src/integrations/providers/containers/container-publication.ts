import type { Clock } from '#libs/clock';
import { inDoubt } from '#libs/content';
import type { PublishedPost } from '../../domain/delivery-outcome.js';
import type { CommitCall, CommitResponse, Refusal } from '../../domain/provider-publishing.js';
import { refusal } from '../failures.js';
import { commitResponseOf } from '../network-responses.js';
import { addressIn, bodyIn, memberOf } from '../values.js';
import type { ContainerApi } from './container-api.js';
import { readerOf } from './container-errors.js';
import { CONTAINER_FAILURES as FAILURES, REMEDIES } from './container-failures.js';
import type { ContainerNetwork } from './container-network.js';
import { containerOf, hasExpired, wasPublished } from './container-plan.js';
import { isNotFound, postIdIn } from './container-values.js';

/** The address of a post is worth a short wait only: the process that waits holds the id in memory alone. */
const PERMALINK_MS = 2_000;
/** A call with less time than that is not begun. */
const LEAST_MS = 100;

/** Publishes a container: one irreversible call, then a question that changes nothing, both within NETWORK_TIMEOUT_MS. */
export class ContainerPublication {
  constructor(
    private readonly network: ContainerNetwork,
    private readonly api: ContainerApi,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
  ) {}

  async commit(call: CommitCall): Promise<CommitResponse> {
    const container = containerOf(call.prepared);
    if (container === null || hasExpired(call.prepared)) return this.expired(null);
    if (wasPublished(call.prepared)) return this.mayBeLive(null);
    const deadline = this.clock.monotonic() + this.timeoutMs;
    const response = await this.api.publish(call, container);
    const result = commitResponseOf(readerOf(this.network, 'post', null), response, ({ body }) =>
      this.postIn(body, call),
    );
    if (result.kind === 'published')
      return { ...result, ...(await this.withPermalink(result, call, deadline)) };
    if (result.kind === 'refused' && isAboutContainer(result.refusal))
      return this.afterRefusedContainer(result.refusal, call, container, deadline);
    return result;
  }

  private postIn(body: unknown, { account }: CommitCall): PublishedPost | null {
    const platformPostId = postIdIn(memberOf(body, 'id'));
    if (platformPostId === null) return null;
    return { platformPostId, platformPostUrl: this.network.accountUrl(account.username) };
  }

  /** The address of the account when the one of the post cannot be read: the post is published either way. */
  private async withPermalink(
    post: PublishedPost,
    { accessToken }: CommitCall,
    deadline: number,
  ): Promise<PublishedPost> {
    const leftMs = Math.min(PERMALINK_MS, deadline - this.clock.monotonic());
    const { platformPostId, platformPostUrl } = post;
    if (leftMs < LEAST_MS) return { platformPostId, platformPostUrl };
    const response = await this.api.permalink(accessToken, platformPostId, leftMs);
    const permalink = addressIn(memberOf(bodyIn(response), 'permalink'));
    return { platformPostId, platformPostUrl: permalink ?? platformPostUrl };
  }

  /** The container is published already, has expired, or is not known yet to a machine of the network. Its state tells which. */
  private async afterRefusedContainer(
    refused: Refusal,
    { accessToken }: CommitCall,
    container: string,
    deadline: number,
  ): Promise<CommitResponse> {
    const leftMs = deadline - this.clock.monotonic();
    const response = leftMs < LEAST_MS ? null : await this.api.status(accessToken, container, leftMs);
    const { displayName } = this.network;
    const { networkCode } = refused.failure;
    if (response && isNotFound(response)) return this.expired(networkCode);
    switch (response && this.network.stateIn(bodyIn(response))?.kind) {
      case 'in-progress':
      case 'finished':
        return {
          kind: 'refused',
          refusal: refusal(displayName, networkCode, FAILURES.notReady, REMEDIES.notReady),
        };
      case 'expired':
      case 'error':
        return this.expired(networkCode);
      default:
        return this.mayBeLive(networkCode);
    }
  }

  private mayBeLive(networkCode: string | null): CommitResponse {
    const message = `${this.network.displayName} does not publish what was prepared, which may be live already.`;
    return { kind: 'unconfirmed', failure: inDoubt(message, networkCode) };
  }

  private expired(networkCode: string | null): CommitResponse {
    const { displayName } = this.network;
    return {
      kind: 'refused',
      refusal: refusal(displayName, networkCode, FAILURES.expired, REMEDIES.prepareAgain),
    };
  }
}

const isAboutContainer = ({ failure }: Refusal): boolean =>
  failure.code === FAILURES.expired[0] || failure.code === FAILURES.notReady[0];
