import { Injectable } from '@nestjs/common';
import { Database, repeated, statement } from '#libs/database';
import { SecretBox, SecretIsUnreadable } from '#libs/encryption';
import type { Attribution } from '../access/attribution.js';
import { GatewayConfig } from '../gateway.config.js';
import { quotaDay } from './quota/quota.sql.js';
import { UploadNotFound, UploadSessionIsGone } from './video.errors.js';

export interface NewSession {
  /** Of the call that began it in the ledger of quota. */
  readonly id: string;
  readonly bytes: number;
  /** The address of the session: a credential. Never logged, never part of a response. */
  readonly session: string;
}

export interface Upload extends NewSession {
  /** Today, in Pacific time. */
  readonly day: string;
}

/** A session that is not stored is lost, with the units that it cost. */
const WAITS_MS = [50, 250, 1_000, 2_000, 4_000];
const TIME_LIMIT_MS = 5_000;

const INSERT = statement(
  'gateway_insert_upload',
  `INSERT INTO gateway.video_upload (id, application_id, organization_id, bytes, session) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (id) DO NOTHING`,
);
const FIND = statement(
  'gateway_find_upload',
  `SELECT bytes::float8 AS bytes, session, ${quotaDay('now()')}::text AS day FROM gateway.video_upload
    WHERE id = $1 AND application_id = $2 AND organization_id = $3`,
);
/** Longer than any session of Google's resumable uploads is usable: a week (cloud.google.com, "Resumable uploads"). */
export const DELETE_OLD_UPLOADS = `DELETE FROM gateway.video_upload WHERE created_at < now() - interval '8 days'`;

/** Upload sessions, encrypted and bound to their row. Any replica continues them. */
@Injectable()
export class UploadsStore {
  private readonly box: SecretBox;

  constructor(
    private readonly database: Database,
    config: GatewayConfig,
  ) {
    this.box = new SecretBox({ keys: config.encryptionKeys });
  }

  async add(
    { applicationId, organizationId }: Attribution,
    { id, bytes, session }: NewSession,
  ): Promise<void> {
    const values = [id, applicationId, organizationId, bytes, this.box.encrypt(session, placeOf(id))];
    await repeated(() => this.database.within(TIME_LIMIT_MS).query(INSERT, values), WAITS_MS);
  }

  /** @throws UploadNotFound, UploadSessionIsGone when its key is no longer configured */
  async get(id: string, { applicationId, organizationId }: Attribution): Promise<Upload> {
    const values = [id, applicationId, organizationId];
    const [found] = await this.database.query<Omit<Upload, 'id'>>(FIND, values);
    if (!found) throw new UploadNotFound();
    try {
      return { ...found, id, session: this.box.decrypt(found.session, placeOf(id)) };
    } catch (error) {
      throw error instanceof SecretIsUnreadable ? new UploadSessionIsGone() : error;
    }
  }
}

const placeOf = (id: string): string => `gateway.video_upload/${id}/session`;
