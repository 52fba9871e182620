import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { AiProviders } from '../../providers/providers.js';
import { Credentials } from '../../../credentials/credentials.js';
import type { CatalogSource } from './catalog-source.js';
import { OpenCatalogSource } from './open-catalog.source.js';
import { ProviderSource } from './provider.source.js';

/** All sources that are read at run time, the providers first: prices and names of the open catalog add to theirs. */
@Injectable()
export class CatalogSources {
  readonly all: readonly CatalogSource[];

  constructor(providers: AiProviders, database: Database, credentials: Credentials, open: OpenCatalogSource) {
    const lists = providers.all.map((provider) => new ProviderSource(provider, database, credentials));
    this.all = [...lists, open];
  }
}
