import { hash } from 'node:crypto';

export const KEY_STATES = [
  'ok',
  'revoked',
  'forbidden',
  'out-of-money',
  'spend-limit',
  'quota-exhausted',
] as const;
export type KeyState = (typeof KEY_STATES)[number];

export interface ProviderKey {
  /** First digits of its SHA-256: the ledger and the bill name it so. */
  readonly id: string;
  readonly label: string;
  readonly state: KeyState;
}

/** Keys of one provider. A key that is not here is unknown to the provider. */
export class ProviderKeys {
  private readonly keys = new Map<string, ProviderKey>();

  constructor(private readonly registered: string) {
    this.clear();
  }

  get all(): Iterable<ProviderKey> {
    return this.keys.values();
  }

  find(secret: string): ProviderKey | undefined {
    return this.keys.get(secret);
  }

  put(secret: string, { label, state = 'ok' }: Partial<ProviderKey> = {}): ProviderKey {
    const before = this.keys.get(secret);
    const key = { id: digest(secret), label: label ?? before?.label ?? 'key', state };
    this.keys.set(secret, key);
    return key;
  }

  clear(): void {
    this.keys.clear();
    this.put(this.registered, { label: 'default' });
  }
}

const digest = (secret: string): string => hash('sha256', secret, 'hex').slice(0, 12);
