import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';
import { OutboundHttp } from '#libs/outbound-http';
import { Credentials, type SealedCredential } from '../../../credentials/credentials.js';
import { type AiProvider, AiProviders } from '../../providers/providers.js';
import { OPEN_CATALOG } from '../catalog/catalog.js';
import type { Reading } from '../sources/catalog-entry.js';
import { readOpenCatalog } from '../sources/open-catalog.js';
import { readProviderList } from '../sources/provider-list.js';
import { ModelSyncConfig } from './sync.config.js';

/** What the attempt to read a source brought. Details contain no address and no secret. */
export type SourceOutcome =
  | {
      readonly kind: 'read';
      readonly providers: readonly string[];
      readonly reading: Reading;
    }
  | { readonly kind: 'failed' | 'skipped'; readonly detail: string };

export interface CatalogSource {
  /** As in `gateway.catalog_source`. */
  readonly name: string;
  /** Bounded in time and bytes. */
  read(): Promise<SourceOutcome>;
}

const TIMEOUT_MS = 30_000;
/** models.dev's document has about 3 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The platform's first working credential of a provider. $1 provider */
const CREDENTIAL = statement(
  'gateway_credential_for_models',
  `SELECT id, provider, organization_id AS "organizationId", data_key AS "dataKey", secret
     FROM gateway.credential
    WHERE provider = $1 AND organization_id IS NULL AND enabled AND deleted_at IS NULL
    ORDER BY (failing_since IS NOT NULL), position, id LIMIT 1`,
);

const failed = (detail: string): SourceOutcome => ({ kind: 'failed', detail });

/** All sources that are read at run time, the providers first: prices and names of the open catalog add to theirs. */
@Injectable()
export class CatalogSources {
  readonly all: readonly CatalogSource[];

  constructor(
    providers: AiProviders,
    private readonly database: Database,
    private readonly credentials: Credentials,
    private readonly http: OutboundHttp,
    private readonly config: ModelSyncConfig,
  ) {
    this.all = [
      ...providers.all.map((provider) => ({ name: provider.name, read: () => this.listOf(provider) })),
      { name: OPEN_CATALOG, read: () => this.openCatalog() },
    ];
  }

  /** A provider's own list of models, read with a credential of the platform. */
  private async listOf({ name, baseUrl, headers, wire }: AiProvider): Promise<SourceOutcome> {
    const [credential] = await this.database.query<SealedCredential>(CREDENTIAL, [name]);
    if (!credential) return { kind: 'skipped', detail: 'The platform has no enabled credential for it.' };
    const secret = this.credentials.open(credential);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const listed = await wire.listModels({ baseUrl, headers, secret, signal, timeoutMs: TIMEOUT_MS });
    if (listed.kind === 'failed') return failed(`${listed.failure.detail} (${listed.failure.kind})`);
    const reading = readProviderList(name, listed.value);
    return reading.entries.length > 0
      ? { kind: 'read', providers: [name], reading }
      : failed('The list has no readable models.');
  }

  /** Only the configured address is called. */
  private async openCatalog(): Promise<SourceOutcome> {
    const { catalogUrl } = this.config;
    if (!catalogUrl) return { kind: 'skipped', detail: 'No address is configured (MODEL_CATALOG_URL).' };
    const response = await this.http.send({
      method: 'GET',
      url: catalogUrl,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    if (response.kind !== 'answered') {
      const reason = response.kind === 'withheld' ? response.kind : response.reason;
      return failed(`No usable response (${reason}).`);
    }
    if (response.status !== 200) return failed(`The response has status ${response.status}.`);
    const { providers, ...reading } = readOpenCatalog(response.body);
    if (reading.entries.length > 0) return { kind: 'read', providers, reading };
    const { rejected } = reading;
    const why = rejected > 0 ? `all ${rejected} models are malformed` : 'no models of our providers';
    return failed(`The document is not readable: ${why}.`);
  }
}
