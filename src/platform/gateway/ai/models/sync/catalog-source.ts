import type { Reading } from '../sources/catalog-entry.js';

/** What the attempt to read a source brought. Details contain no address and no secret. */
export type SourceOutcome =
  | {
      readonly kind: 'read';
      /** Providers that it covers. */
      readonly providers: readonly string[];
      readonly reading: Reading;
    }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'skipped'; readonly detail: string };

/** Where models are looked up. */
export interface CatalogSource {
  /** As in `gateway.catalog_source`. */
  readonly name: string;
  /** Bounded in time and bytes. */
  read(): Promise<SourceOutcome>;
}
