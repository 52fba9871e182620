let count = 0;

/**
 * passport has one strategy per name and process. Services in one process need separate strategies, because identity returns
 * the scopes of one service.
 */
export function uniqueName(kind: string): string {
  return `${kind}-${++count}`;
}
