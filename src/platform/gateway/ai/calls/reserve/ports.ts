import type { PlannedCredential } from '../plan/plan.js';
import type { AiWire } from '../../providers/wires/wire.js';

/** Decrypts for the call of an adapter, and nowhere else. */
export abstract class CredentialSecrets {
  /** @throws when the key of the record is not configured */
  abstract open(credential: PlannedCredential): string;
}

/** How a provider is called. */
export interface ProviderTransport {
  readonly wire: AiWire;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

export abstract class ProviderTransports {
  /** null: no AI provider of this gateway. */
  abstract find(provider: string): ProviderTransport | null;
}
