import { Injectable, Logger } from '@nestjs/common';
import { Database, statement } from '#libs/database';

/** $1 id, $2 secret */
const FAILS = statement(
  'gateway_credential_fails',
  `UPDATE gateway.credential SET failing_since = now() WHERE id = $1 AND secret = $2 AND failing_since IS NULL`,
);
/** $1 id, $2 secret */
const WORKS = statement(
  'gateway_credential_works',
  `UPDATE gateway.credential SET failing_since = NULL WHERE id = $1 AND secret = $2 AND failing_since IS NOT NULL`,
);

export interface UsedCredential {
  readonly id: string;
  /** Column `secret`: an outcome says nothing about another secret, which can have replaced it meanwhile. */
  readonly sealed: string;
}

/** Whether the provider accepts a credential, as calls with it show. Never rejects: the outcome of the call is known by now. */
@Injectable()
export class CredentialHealth {
  private readonly logger = new Logger(CredentialHealth.name);

  constructor(private readonly database: Database) {}

  fails(credential: UsedCredential): Promise<void> {
    return this.note(FAILS, credential);
  }

  works(credential: UsedCredential): Promise<void> {
    return this.note(WORKS, credential);
  }

  private async note(change: typeof WORKS, { id, sealed }: UsedCredential): Promise<void> {
    try {
      await this.database.query(change, [id, sealed]);
    } catch (error) {
      this.logger.warn(error, `Whether credential ${id} works could not be stored.`);
    }
  }
}
