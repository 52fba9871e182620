import { statement } from '#libs/database';

export interface AccessRow {
  readonly organization_id: string;
  readonly organization: string;
  readonly service_id: string;
  readonly service: string;
  readonly granted_at: Date;
  readonly role: string;
  readonly bundle: string;
  /** Scopes of the role bundle. */
  readonly bundled: string[];
  readonly effective: string[];
}

/**
 * $1 user, $2 caller. The services of each organization of the user that the caller may see: for themselves all, else those
 * where the caller is owner or admin.
 */
export const ACCESS = statement(
  'identity_permissions_access',
  `SELECT o.id AS organization_id, o.name AS organization, s.id AS service_id, s.slug AS service, a.granted_at,
          m.role, b.name AS bundle, identity.scopes_of(o.id, m.user_id, m.role, s.id) AS effective,
          (SELECT coalesce(array_agg(p.scope ORDER BY p.scope), '{}') FROM identity.role_bundle_permission p
            WHERE p.service_id = s.id AND p.role = m.role) AS bundled
     FROM identity.membership m
     JOIN identity.organization o ON o.id = m.organization_id
     JOIN identity.organization_service_access a ON a.organization_id = o.id
     JOIN identity.service s ON s.id = a.service_id
     LEFT JOIN identity.role_bundle b ON b.service_id = s.id AND b.role = m.role
    WHERE m.user_id = $1 AND ($1 = $2 OR EXISTS (
      SELECT FROM identity.membership mine WHERE mine.organization_id = o.id AND mine.user_id = $2
         AND mine.role IN ('owner', 'admin')))
    ORDER BY o.id, s.slug`,
);

export interface OverrideRow {
  readonly organization_id: string;
  readonly service_id: string;
  readonly scope: string;
  readonly effect: 'allow' | 'deny';
  readonly reason: string | null;
}

/** $1 user, $2 organizations. */
export const OVERRIDES = statement(
  'identity_permissions_overrides',
  `SELECT organization_id, service_id, scope, effect, reason FROM identity.permission_override
    WHERE user_id = $1 AND organization_id = ANY ($2) ORDER BY organization_id, service_id, scope`,
);

/** $1 user, $2 caller. A row if the caller may know that the user exists. */
export const VISIBLE = statement(
  'identity_permissions_visible',
  `SELECT u.id FROM identity.user_account u
    WHERE u.id = $1 AND ($1 = $2 OR EXISTS (
      SELECT FROM identity.membership theirs JOIN identity.membership mine USING (organization_id)
       WHERE theirs.user_id = u.id AND mine.user_id = $2 AND mine.role IN ('owner', 'admin')))`,
);
