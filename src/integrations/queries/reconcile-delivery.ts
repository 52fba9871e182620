import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { Instant } from '#libs/content';
import { DatabaseIsUnavailable } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import { AccessTokens } from '../tokens/access-tokens.js';
import type {
  AttemptOnNetwork,
  DeliveryContent,
  FoundPost,
  Reconciliation,
} from '../domain/delivery-outcome.js';
import { PreparationsStore, type PreparedPost } from '../preparations/preparations.store.js';
import { sentContent } from '../domain/sent-content.js';
import { ProviderRegistry } from '../registry/provider-registry.js';

export interface DeliveryToReconcile extends PreparedPost {
  readonly content: DeliveryContent;
  /** When the attempt began, by the database's clock. */
  readonly since: Instant;
  /** Attempts on the same account whose outcome is unknown. Called after the search: a later attempt cannot have made a found post. */
  readonly rivals: () => Promise<readonly AttemptOnNetwork[]>;
}

/** Looks whether an attempt published. What cannot be asked, or a rival may have published, is `unknown`. @throws DatabaseIsUnavailable */
export class ReconcileDelivery extends RequestQuery<DeliveryToReconcile, Reconciliation> {}

@QueryHandler(ReconcileDelivery)
export class ReconcileDeliveryHandler implements IQueryHandler<ReconcileDelivery> {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly providers: ProviderRegistry,
    private readonly preparations: PreparationsStore,
  ) {}

  async execute({ request: delivery }: ReconcileDelivery): Promise<Reconciliation> {
    try {
      const access = await this.tokens.fresh(delivery.connectionId);
      if (access.kind !== 'usable') return { kind: 'unknown' };
      const { accessToken, account, organizationId, platform } = access;
      const { since } = delivery;
      const content = sentContent(delivery.content);
      const prepared = await this.preparations.find(delivery);
      const request = { account, accessToken, organizationId, content, prepared, since };
      const search = await this.providers.publishing(platform).reconcile(request);
      return search.kind === 'found' ? ofNoRival(search.posts, await delivery.rivals()) : search;
    } catch (error) {
      if (error instanceof DatabaseIsUnavailable) throw error;
      return { kind: 'unknown' };
    }
  }
}

function ofNoRival(posts: readonly FoundPost[], rivals: readonly AttemptOnNetwork[]): Reconciliation {
  const ours = posts.filter(
    (post) => !rivals.some((rival) => post.mayBeOf({ ...rival, content: sentContent(rival.content) })),
  );
  return ours.length > 0 ? { kind: 'delivered', posts: ours } : { kind: 'unknown' };
}
