let count = 0;

/**
 * passport keeps one table of strategies per process, by name. Several services may run in one process, each asking
 * identity for its own scopes, so that no two may share a name.
 */
export function uniqueName(kind: string): string {
  return `${kind}-${++count}`;
}
