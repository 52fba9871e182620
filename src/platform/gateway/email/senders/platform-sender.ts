import { randomUUIDv7 } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '#libs/database';
import { domainOf, isHeaderText, mailAddress } from '../shared/addresses.js';
import { EmailConfig } from '../email.config.js';
import { CLEAR_DEFAULT } from './senders.store.js';
import { SET_BY_OPERATOR } from './verify-domain.js';

/** An operator's setting needs no proof. Repeating it has no effect. */
const ADD_DOMAIN = `
  INSERT INTO gateway.email_domain AS d (id, organization_id, name, provider, status, challenge, check_result, verified_at)
  VALUES ($1, NULL, $2, $3, 'verified', '', '${SET_BY_OPERATOR}', now())
  ON CONFLICT (organization_id, name) DO UPDATE SET provider = excluded.provider, status = 'verified',
    challenge = '', check_result = excluded.check_result, verified_at = coalesce(d.verified_at, now())
  RETURNING id`;
const ADD_SENDER = `
  INSERT INTO gateway.email_sender AS s (id, organization_id, domain_id, name, address, is_default)
  VALUES ($1, NULL, $2, $3, $4, true)
  ON CONFLICT (organization_id, address) DO UPDATE SET name = excluded.name, is_default = true`;

/** Makes the sender of EMAIL_PLATFORM_SENDER the default of the platform, so that organizations without a domain can send. */
@Injectable()
export class PlatformSender implements OnApplicationBootstrap {
  private readonly logger = new Logger(PlatformSender.name);

  constructor(
    private readonly database: Database,
    private readonly config: EmailConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { platformSender, platformProvider } = this.config;
    if (platformSender === undefined) return;
    const [, name = '', text = ''] = /^(.*) <(.*)>$/.exec(platformSender) ?? [];
    const address = mailAddress(text);
    if (address === null || !isHeaderText(name))
      return this.logger.error('EMAIL_PLATFORM_SENDER has no valid name and mail address. It is ignored.');
    try {
      await this.database.transaction(async (transaction) => {
        const values = [randomUUIDv7(), domainOf(address), platformProvider];
        const [domain] = await transaction.query<{ id: string }>(ADD_DOMAIN, values);
        await transaction.query(CLEAR_DEFAULT, [null]);
        await transaction.query(ADD_SENDER, [randomUUIDv7(), domain?.id, name, address]);
      });
    } catch (error) {
      this.logger.error(
        error,
        'The sender of the platform could not be stored. Start a replica again to repeat it.',
      );
    }
  }
}
