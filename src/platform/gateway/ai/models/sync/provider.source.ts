import { type Executor, statement } from '#libs/database';
import type { AiProviderName } from '../../../credentials/providers.js';
import type { AiProvider } from '../../providers/providers.js';
import type { Credentials, SealedCredential } from '../../../credentials/credentials.js';
import { readProviderList } from '../sources/provider-list.js';
import type { CatalogSource, SourceOutcome } from './catalog-source.js';

const TIMEOUT_MS = 30_000;

/** The platform's first working credential of a provider. $1 provider */
const CREDENTIAL = statement(
  'gateway_credential_for_models',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret
     FROM gateway.credential
    WHERE provider = $1 AND organization_id IS NULL AND enabled AND deleted_at IS NULL
    ORDER BY (failing_since IS NOT NULL), position, id LIMIT 1`,
);

/** A provider's own list of models, read with a credential of the platform. */
export class ProviderSource implements CatalogSource {
  readonly name: AiProviderName;

  constructor(
    private readonly provider: AiProvider,
    private readonly executor: Executor,
    private readonly credentials: Credentials,
  ) {
    this.name = provider.name;
  }

  async read(): Promise<SourceOutcome> {
    const [credential] = await this.executor.query<SealedCredential>(CREDENTIAL, [this.name]);
    if (!credential) return { kind: 'skipped', detail: 'The platform has no enabled credential for it.' };
    const { baseUrl, headers, wire } = this.provider;
    const secret = this.credentials.open(credential);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const listed = await wire.listModels({ baseUrl, headers, secret, signal, timeoutMs: TIMEOUT_MS });
    if (listed.kind === 'failed')
      return { kind: 'failed', detail: `${listed.failure.detail} (${listed.failure.kind})` };
    const reading = readProviderList(this.name, listed.value);
    return reading.entries.length > 0
      ? { kind: 'read', providers: [this.name], reading }
      : { kind: 'failed', detail: 'The list has no readable models.' };
  }
}
