import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { DatabaseIsUnavailable } from '#libs/database';
import { AccessTokens } from '../tokens/access-tokens.js';
import type { DeliveryContent, Instant, Reconciliation } from '../delivery.js';
import { ProviderRegistry } from '../providers/provider-registry.js';

export interface DeliveryToReconcile {
  readonly connectionId: string;
  readonly content: DeliveryContent;
  /** When the attempt began, by the database's clock. */
  readonly since: Instant;
}

/**
 * Looks, read-only, whether an attempt whose answer was lost did publish. What cannot be asked is `unknown`.
 * @throws DatabaseIsUnavailable
 */
export class ReconcileDelivery extends Query<Reconciliation> {
  constructor(readonly delivery: DeliveryToReconcile) {
    super();
  }
}

@QueryHandler(ReconcileDelivery)
export class ReconcileDeliveryHandler implements IQueryHandler<ReconcileDelivery> {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly providers: ProviderRegistry,
  ) {}

  async execute({ delivery }: ReconcileDelivery): Promise<Reconciliation> {
    try {
      const access = await this.tokens.fresh(delivery.connectionId);
      if (access.kind !== 'usable') return { kind: 'unknown' };
      const { accessToken, account, platform } = access;
      const { content, since } = delivery;
      return await this.providers.publishing(platform).reconcile({ account, accessToken, content, since });
    } catch (error) {
      if (error instanceof DatabaseIsUnavailable) throw error;
      return { kind: 'unknown' };
    }
  }
}
