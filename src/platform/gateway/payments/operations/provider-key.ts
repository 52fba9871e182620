/** The key of the provider for an operation. Every attempt, by any process, sends the same. */
export const providerKeyOf = (operationId: string): string => `gateway-${operationId}`;

export const operationIdIn = (providerKey: string | null): string | null =>
  /^gateway-([0-9a-f-]{36})$/.exec(providerKey ?? '')?.[1] ?? null;
