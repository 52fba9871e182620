import type { Clock } from '#libs/clock';
import type { AttemptOnNetwork, FoundPost, NetworkSearch } from '../../domain/delivery-outcome.js';
import type { ReconcileRequest } from '../../domain/provider-publishing.js';
import { mayStillRun } from '../network-responses.js';
import { bodyIn, memberOf } from '../values.js';
import type { ContainerApi } from './container-api.js';
import type { ContainerNetwork, ContainerState, ShownPost } from './container-network.js';
import { containerOf } from './container-plan.js';

/** Networks give times in whole seconds, and clocks differ. */
const CLOCK_SKEW_MS = 2_000;
/** A published container whose post the list does not show by then is left to a person. */
const SHOWN_WITHIN_MS = 15 * 60_000;
const ASK_AGAIN_MS = 30_000;

/** Finds out what became of an attempt: by the state of its container, which is published at most once, and by the lists of the account. */
export class ContainerSearch {
  constructor(
    private readonly network: ContainerNetwork,
    private readonly api: ContainerApi,
    private readonly clock: Clock,
  ) {}

  async find(request: ReconcileRequest): Promise<NetworkSearch> {
    const container = request.prepared && containerOf(request.prepared);
    if (container === null) return this.byText(request);
    const state = await this.stateOf(request.accessToken, container);
    switch (state?.kind) {
      case undefined:
      case 'other':
        return this.byText(request);
      case 'published':
        return this.published(request);
      case 'finished':
      case 'in-progress':
        return mayStillRun(request, this.clock) ? pending : notPublished(state);
      case 'expired':
        return { kind: 'not-delivered' };
      case 'error':
        return this.failed(request, state.reason);
    }
  }

  /** The container is evidence of delivery; the list tells the id. */
  private async published(request: ReconcileRequest): Promise<NetworkSearch> {
    const posts = await this.candidates(request);
    const isClear = posts !== null && posts.length > 0 && (this.textOf(request) !== '' || posts.length === 1);
    if (isClear) return { kind: 'found', posts: posts.map((post) => this.found(post, request, () => false)) };
    return this.isRecent(request) ? pending : { kind: 'unknown' };
  }

  /** Clients have seen posts of failed containers live. */
  private async failed(request: ReconcileRequest, reason: string | null): Promise<NetworkSearch> {
    const posts = await this.candidates(request);
    if (posts === null) return { kind: 'unknown' };
    if (posts.length > 0) return this.byText(request);
    if (mayStillRun(request, this.clock)) return pending;
    return { kind: 'refused', failure: this.network.failureOf(reason).failure };
  }

  /** Without the container, a post of the same text since the attempt is evidence; a post without a text is like every other one. */
  private async byText(request: ReconcileRequest): Promise<NetworkSearch> {
    if (this.textOf(request) === '') return { kind: 'unknown' };
    const posts = (await this.candidates(request)) ?? [];
    if (posts.length === 0) return { kind: 'unknown' };
    const mayBeOf = (post: ShownPost) => (attempt: AttemptOnNetwork) =>
      isSince(post, attempt.since) && this.textsOf(attempt, request).includes(post.text.trim());
    return { kind: 'found', posts: posts.map((post) => this.found(post, request, mayBeOf(post))) };
  }

  /** Posts with this text since the attempt began; null: the list cannot be read. */
  private async candidates(request: ReconcileRequest): Promise<ShownPost[] | null> {
    const response = await this.api.list(request, this.network.listOf(request.content));
    const items = memberOf(bodyIn(response), 'data');
    if (!Array.isArray(items)) return null;
    return items
      .map((item) => this.network.postIn(item))
      .filter((post) => post !== null)
      .filter((post) => isSince(post, request.since) && post.text.trim() === this.textOf(request));
  }

  private found(post: ShownPost, { account }: ReconcileRequest, mayBeOf: FoundPost['mayBeOf']): FoundPost {
    const platformPostUrl = post.permalink ?? this.network.accountUrl(account.username);
    return { platformPostId: post.id, platformPostUrl, mayBeOf };
  }

  private async stateOf(accessToken: string, container: string): Promise<ContainerState | null> {
    return this.network.stateIn(bodyIn(await this.api.status(accessToken, container)));
  }

  /** Whether another attempt has files is not known here: a link may be a card or part of the text. */
  private textsOf({ content }: AttemptOnNetwork, request: ReconcileRequest): string[] {
    const other = { ...request.content, ...content };
    const shapes = [
      { ...other, mediaIds: [] },
      { ...other, mediaIds: ['any'] },
    ];
    return shapes.map((shape) => this.textOf({ content: shape }));
  }

  private textOf({ content }: Pick<ReconcileRequest, 'content'>): string {
    return this.network.textOf(content).trim();
  }

  private isRecent({ since }: ReconcileRequest): boolean {
    return this.clock.now().getTime() - Date.parse(since) < SHOWN_WITHIN_MS;
  }
}

const pending: NetworkSearch = { kind: 'pending', milliseconds: ASK_AGAIN_MS };

/** A container that is still processed could be published by a later call only; one that never ends is no evidence. */
const notPublished = ({ kind }: ContainerState): NetworkSearch => ({
  kind: kind === 'finished' ? 'not-delivered' : 'unknown',
});

/** A post without a time counts as older. */
const isSince = ({ publishedAt }: ShownPost, since: string): boolean =>
  publishedAt !== null && publishedAt >= Date.parse(since) - CLOCK_SKEW_MS;
