import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox, SecretIsUnreadable } from '#libs/encryption';
import { GatewayConfig } from '../gateway.config.js';

const DATA_KEY_BYTES = 32;
/** Each record has one data key, so it needs no name. */
const DATA_KEY_ID = 'd';

/** What a secret is bound to: copied into a record of another organization or provider, it cannot be decrypted. */
export interface CredentialPlace {
  readonly id: string;
  /** null: the default of the platform. */
  readonly organizationId: string | null;
  readonly provider: string;
}

/** Columns `data_key` and `secret` of gateway.credential. */
export interface Sealed {
  readonly dataKey: string;
  readonly secret: string;
}

export type SealedCredential = CredentialPlace & Sealed;

/**
 * Envelope encryption of provider credentials: each record has a data key, which the newest key of GATEWAY_ENCRYPTION_KEYS encrypts.
 * To replace that key, only data keys are encrypted again.
 */
@Injectable()
export class Credentials {
  private readonly master: SecretBox;

  constructor({ encryptionKeys }: GatewayConfig) {
    this.master = new SecretBox({ keys: encryptionKeys });
  }

  /** Call it right before the request to the provider. The result must not be stored, logged or returned. @throws SecretIsUnreadable */
  open(credential: SealedCredential): string {
    const place = placeOf(credential);
    return boxOf(this.master.decrypt(credential.dataKey, place)).decrypt(credential.secret, place);
  }

  /** null: the key that encrypted it is not configured. */
  openOrNull(credential: SealedCredential): string | null {
    return readable(() => this.open(credential));
  }

  /** With a new data key. */
  seal(at: CredentialPlace, secret: string): Sealed {
    const place = placeOf(at);
    const dataKey = randomBytes(DATA_KEY_BYTES).toString('base64');
    return { dataKey: this.master.encrypt(dataKey, place), secret: boxOf(dataKey).encrypt(secret, place) };
  }

  /** The data key, encrypted with the newest key; null when it cannot be decrypted. */
  reseal(credential: CredentialPlace & Pick<Sealed, 'dataKey'>): string | null {
    const place = placeOf(credential);
    return readable(() => this.master.encrypt(this.master.decrypt(credential.dataKey, place), place));
  }

  /** Prefix of data keys that were encrypted with the newest key. */
  get keyPrefix(): string {
    return this.master.keyPrefix;
  }
}

function readable(read: () => string): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SecretIsUnreadable) return null;
    throw error;
  }
}

const boxOf = (dataKey: string): SecretBox => new SecretBox({ keys: `${DATA_KEY_ID}:${dataKey}` });

const placeOf = ({ id, organizationId, provider }: CredentialPlace): string =>
  `gateway.credential/${id}/${organizationId ?? 'platform'}/${provider}`;
