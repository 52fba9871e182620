import { Injectable } from '@nestjs/common';
import { Database, statement } from '#libs/database';

/** At most one write per model and hour. $1 provider, $2 model */
const REFUSE = statement(
  'gateway_note_refused_model',
  `UPDATE gateway.model SET refused_at = now()
    WHERE provider = $1 AND id = $2 AND (refused_at IS NULL OR refused_at < now() - interval '1 hour')`,
);

/**
 * Models that a provider did not have when it was called. Governance shows them; they stay usable, because some accounts only lack
 * access to a model.
 */
@Injectable()
export class RefusedModels {
  constructor(private readonly database: Database) {}

  /** @param model the provider's own name */
  async note(provider: string, model: string): Promise<void> {
    await this.database.query(REFUSE, [provider, model]);
  }
}
