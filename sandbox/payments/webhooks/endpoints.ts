import type { WebhookEndpoint } from '../state/objects.js';

/** An endpoint with its signing secrets; two while one is replaced. */
export interface SecretEndpoint {
  readonly id: string;
  readonly endpoint: WebhookEndpoint;
  readonly secrets: readonly string[];
}

export const listensTo = ({ endpoint }: SecretEndpoint, type: string): boolean =>
  endpoint.status === 'enabled' &&
  (endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type));
