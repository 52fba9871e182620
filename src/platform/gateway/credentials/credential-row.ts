import type { CredentialProvider } from './providers.js';

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
  checked_at, check_result, version, created_at, created_by, rotated_at`;
