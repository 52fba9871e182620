export const DUPLICATES = ['update', 'fill', 'skip', 'create'] as const;
export const KEYS = ['email', 'id', 'externalId'] as const;
export const ON_DELETED_MATCH = ['restore', 'create', 'skip'] as const;
export const ON_ERROR = ['continue', 'abort'] as const;

/** How an import treats the rows of a file. */
export interface ImportRules {
  readonly organizationId: string;
  readonly dryRun: boolean;
  readonly duplicates: (typeof DUPLICATES)[number];
  /**
   * The field by which a row finds its contact. Rows without `email` are matched by external id, else by name and phone.
   */
  readonly key: (typeof KEYS)[number];
  readonly onDeletedMatch: (typeof ON_DELETED_MATCH)[number];
  readonly onError: (typeof ON_ERROR)[number];
  readonly raw: boolean;
}
