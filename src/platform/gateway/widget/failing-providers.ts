import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { FailingProviderDto } from './widget.dto.js';

/**
 * Of the credentials that calls of an organization use: its own, or those of the platform where it has none for the provider.
 * A disabled one for payments is one, too: no payment credential of the platform takes its place.
 * One row for each provider. $1 organizations
 */
const FAILING = `
  SELECT DISTINCT ON (c.provider, c.organization_id IS NULL) c.provider,
    CASE WHEN c.organization_id IS NULL THEN 'platform' ELSE 'own' END AS credential, c.failing_since AS since,
    coalesce(CASE WHEN c.breaker_open_until > now() THEN c.breaker_reason END, CASE WHEN c.failing_since IS NULL THEN b.reason END, 'credential') AS reason
  FROM gateway.credential c
  LEFT JOIN LATERAL (SELECT reason FROM gateway.model_breaker
                      WHERE credential_id = c.id AND open_until > now() ORDER BY model LIMIT 1) b ON true
  WHERE c.deleted_at IS NULL AND c.enabled
    AND (c.failing_since IS NOT NULL OR c.breaker_open_until > now() OR b.reason IS NOT NULL)
    AND (c.organization_id = ANY ($1::uuid[]) OR (c.organization_id IS NULL AND EXISTS (
      SELECT FROM unnest($1::uuid[]) AS o (id) WHERE NOT EXISTS (
        SELECT FROM gateway.credential own WHERE own.organization_id = o.id AND own.provider = c.provider
          AND (own.enabled OR own.provider = 'stripe') AND own.deleted_at IS NULL))))
  ORDER BY c.provider, c.organization_id IS NULL, c.failing_since NULLS LAST, c.position`;

@Injectable()
export class FailingProviders {
  constructor(private readonly database: Database) {}

  of(organizationIds: readonly string[]): Promise<FailingProviderDto[]> {
    return this.database.query<FailingProviderDto>(FAILING, [organizationIds]);
  }
}
