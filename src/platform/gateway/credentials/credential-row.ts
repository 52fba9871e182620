import type { CredentialProvider } from './providers.js';

/** A model whose calls with a credential are held back. */
export interface HeldBackModel {
  /** The provider's own name. */
  readonly model: string;
  readonly reason: string;
  /** RFC 3339. */
  readonly until: string;
}

/** A row of gateway.credential without its secret. */
export interface CredentialRow {
  readonly id: string;
  readonly provider: CredentialProvider;
  readonly organization_id: string | null;
  readonly position: number;
  readonly label: string;
  readonly hint: string;
  readonly project: string | null;
  readonly enabled: boolean;
  readonly failing_since: Date | null;
  /** Whether calls are held back now. */
  readonly is_open: boolean;
  /** null while closed, and until a check succeeds. */
  readonly open_until: Date | null;
  readonly breaker_reason: string | null;
  /** Models that are held back now, in the order of their names; null: none. */
  readonly held_back_models: readonly HeldBackModel[] | null;
  readonly checked_at: Date | null;
  readonly check_result: Readonly<Record<string, unknown>> | null;
  readonly version: number;
  readonly created_at: Date;
  readonly created_by: string;
  readonly rotated_at: Date | null;
}

export const CREDENTIAL_COLUMNS = `id, provider, organization_id, position, label, hint, project, enabled, failing_since,
  coalesce(breaker_open_until > now(), false) AS is_open,
  CASE WHEN isfinite(breaker_open_until) AND breaker_open_until > now() THEN breaker_open_until END AS open_until,
  CASE WHEN breaker_open_until > now() THEN breaker_reason END AS breaker_reason,
  (SELECT json_agg(json_build_object('model', b.model, 'reason', b.reason, 'until', b.open_until) ORDER BY b.model)
     FROM gateway.model_breaker b
    WHERE b.credential_id = credential.id AND b.open_until > now()) AS held_back_models,
  checked_at, check_result, version, created_at, created_by, rotated_at`;
