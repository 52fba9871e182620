import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse } from '#libs/outbound-http';
import { OPEN_CATALOG } from '../catalog/catalog.js';
import { readOpenCatalog } from '../sources/open-catalog.js';
import type { CatalogSource, SourceOutcome } from './catalog-source.js';
import { ModelSyncConfig } from './sync.config.js';

const TIMEOUT_MS = 30_000;
/** models.dev's document has about 3 MB. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The open catalog. Only the configured address is called. */
@Injectable()
export class OpenCatalogSource implements CatalogSource {
  readonly name = OPEN_CATALOG;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: ModelSyncConfig,
  ) {}

  async read(): Promise<SourceOutcome> {
    const { catalogUrl } = this.config;
    if (!catalogUrl) return { kind: 'skipped', detail: 'No address is configured (MODEL_CATALOG_URL).' };
    const response = await this.http.send({
      method: 'GET',
      url: catalogUrl,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_BYTES,
    });
    return outcomeOf(response);
  }
}

function outcomeOf(response: OutboundResponse): SourceOutcome {
  if (response.kind !== 'answered')
    return { kind: 'failed', detail: `No usable response (${reasonOf(response)}).` };
  const { status, body } = response;
  if (status !== 200) return { kind: 'failed', detail: `The response has status ${status}.` };
  const { providers, ...reading } = readOpenCatalog(body);
  if (reading.entries.length > 0) return { kind: 'read', providers, reading };
  const why =
    reading.rejected > 0 ? `all ${reading.rejected} models are malformed` : 'no models of our providers';
  return { kind: 'failed', detail: `The document is not readable: ${why}.` };
}

const reasonOf = (response: Exclude<OutboundResponse, { kind: 'answered' }>): string =>
  response.kind === 'withheld' ? response.kind : response.reason;
