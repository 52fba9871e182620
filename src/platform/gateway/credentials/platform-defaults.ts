import type { Database } from '#libs/database';
import { OPERATOR } from '../audit/gateway-audit.js';
import { type Credentials, type SealedCredential } from './credentials.js';
import type { CredentialsStore } from './credentials.store.js';
import type { CredentialProvider } from './providers.js';
import { acceptSecret } from './secrets.js';

/** A default of the platform that the environment of the process declares. */
export interface PlatformDefault {
  readonly provider: CredentialProvider;
  readonly label: string;
  /** As `POST /api/credentials` takes it. */
  readonly secret?: unknown;
  readonly project?: string;
}

interface Tools {
  readonly database: Database;
  readonly credentials: Credentials;
  readonly store: CredentialsStore;
}

type Known = SealedCredential & { readonly isOwn: boolean };

/** Deleted ones too: what an operator deleted is not added again. $1 provider, $2 label */
const KNOWN = `
  SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret,
         label = $2 AND created_by = 'operator' AND deleted_at IS NULL AS "isOwn"
    FROM gateway.credential WHERE provider = $1 AND organization_id IS NULL`;
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('gateway.platform-defaults', 0))`;

/** One process at a time. A default whose declared secret has changed is rotated. */
export function ensureDefaults(tools: Tools, defaults: readonly PlatformDefault[]): Promise<void> {
  return tools.database.transaction(async (transaction) => {
    await transaction.query(LOCK);
    for (const declared of defaults) {
      const { provider, label } = declared;
      const known = await transaction.query<Known>(KNOWN, [provider, label]);
      const own = known.find(({ isOwn }) => isOwn);
      if (known.length === 0) await add(tools, declared);
      else if (own) await rotateIfChanged(tools, own, declared);
    }
  });
}

async function add({ store }: Tools, { provider, label, secret, project }: PlatformDefault): Promise<void> {
  const accepted = acceptSecret(provider, secret, false);
  await store.add({ provider, organizationId: null, label, project, secret: accepted }, OPERATOR);
}

async function rotateIfChanged(
  { store, credentials }: Tools,
  own: Known,
  declared: PlatformDefault,
): Promise<void> {
  const accepted = acceptSecret(own.provider as CredentialProvider, declared.secret, false);
  if (credentials.openOrNull(own) === accepted.text) return;
  await store.rotate({ id: own.id, actor: OPERATOR }, accepted);
}
