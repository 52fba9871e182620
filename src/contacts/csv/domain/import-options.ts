export const DUPLICATES = ['update', 'fill', 'skip', 'create'] as const;
export const LISTS = ['add', 'replace'] as const;
export const KEYS = ['email', 'id', 'externalId'] as const;
export const ON_DELETED_MATCH = ['restore', 'create', 'skip'] as const;
export const ON_ERROR = ['continue', 'abort'] as const;

/** How an import treats the rows of a file. */
export interface ImportRules {
  readonly organizationId: string;
  readonly dryRun: boolean;
  readonly duplicates: (typeof DUPLICATES)[number];
  /** Whether an update adds phones, tags, websites and postal addresses to those of the contact, or replaces them. */
  readonly lists: (typeof LISTS)[number];
  /**
   * The field by which a row finds its contact. Rows without `email` are matched by external id, else by phone or company with the name.
   */
  readonly key: (typeof KEYS)[number];
  readonly onDeletedMatch: (typeof ON_DELETED_MATCH)[number];
  readonly onError: (typeof ON_ERROR)[number];
  readonly raw: boolean;
}
