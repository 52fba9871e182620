import { randomUUIDv7 } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { arrayOfJson, Database, statement } from '#libs/database';
import { RequestCommand } from '#libs/messages';
import { MAX_ERRORS, MAX_FAILURES, RETRY_AT } from '../domain/retries.js';
import {
  canonicalSpec,
  REQUESTED,
  requestedParameters,
  type RequestedRendition,
  SPEC_KEY,
} from '../views/requested-renditions.js';

export interface RenditionsToPrepare {
  readonly files: readonly RequestedRendition[];
  /** Those that failed are tried once more: a person asks, or the cause was not in the file. Default false. */
  readonly again?: boolean;
}

/**
 * Asks for renditions ahead of publishing; the worker makes them. Idempotent: one rendition for each file, specification and focus point.
 * Files that do not exist or are not ready are ignored. Joins the caller's transaction; append events of the transaction before.
 */
export class PrepareRenditions extends RequestCommand<RenditionsToPrepare, void> {}

/**
 * $4 ids, $5 specifications. The lock keeps the files from being deleted until the row exists. In the order of ids, so that two requests
 * do not deadlock. `last_needed_at` is exact to the hour: a rendition that is asked for often is not written each time.
 */
const PREPARE = statement(
  'prepare_renditions',
  `INSERT INTO media.rendition AS rendition (id, media_id, spec_key, spec, focus_x, focus_y)
   SELECT ($4::uuid[])[number], file.id, ${SPEC_KEY}, ($5::jsonb[])[number], file.focus_x, file.focus_y
   FROM ${REQUESTED}
   JOIN (SELECT id, focus_x, focus_y FROM media.file WHERE id = ANY($1::uuid[]) AND status = 'ready'
         ORDER BY id FOR KEY SHARE) AS file ON file.id = wanted.media_id
   ORDER BY file.id, wanted.digest
   ON CONFLICT (media_id, spec_key) DO UPDATE SET last_needed_at = now()
   WHERE rendition.last_needed_at < now() - interval '1 hour'
   RETURNING rendition.id, rendition.media_id AS "mediaId"`,
);

/** One more try each; `failure` stays until it succeeds. In the order of PREPARE, so that two requests do not deadlock. */
const TRY_AGAIN = statement(
  'try_failed_renditions_again',
  `WITH failed AS MATERIALIZED (
     SELECT rendition.id FROM ${REQUESTED} JOIN media.file ON file.id = wanted.media_id
     JOIN media.rendition ON rendition.media_id = file.id AND rendition.spec_key = ${SPEC_KEY}
     WHERE rendition.status = 'failed' ORDER BY file.id, wanted.digest FOR UPDATE OF rendition)
   UPDATE media.rendition SET status = 'pending', takeovers = 0, failures = ${MAX_FAILURES - 1},
     errors = ${MAX_ERRORS - 1}, retries = retries + 1, due_at = ${RETRY_AT}, awaited_since = ${RETRY_AT}
   FROM failed WHERE rendition.id = failed.id`,
);

/** Former focus points; a post that is being sent may still read the rendition of one. */
const KEPT_OF_SPEC = 3;
const KEPT_OF_FILE = 24;

/** $1 files. What was needed last stays. Locked rows are left to the next request. A trigger leaves the objects to the sweep. */
const REMOVE_SURPLUS = statement(
  'remove_surplus_renditions',
  `DELETE FROM media.rendition WHERE id IN (
     SELECT id FROM media.rendition WHERE id IN (
       SELECT id FROM (
         SELECT id, row_number() OVER (PARTITION BY media_id ORDER BY last_needed_at DESC, id DESC) AS of_file,
           row_number() OVER (PARTITION BY media_id, spec ORDER BY last_needed_at DESC, id DESC) AS of_spec
         FROM media.rendition WHERE media_id = ANY($1::uuid[])) AS ranked
       WHERE of_spec > ${KEPT_OF_SPEC} OR of_file > ${KEPT_OF_FILE})
     FOR UPDATE SKIP LOCKED)`,
);

@CommandHandler(PrepareRenditions)
export class PrepareRenditionsHandler implements ICommandHandler<PrepareRenditions> {
  constructor(private readonly database: Database) {}

  async execute({ request }: PrepareRenditions): Promise<void> {
    const files = distinct(request.files);
    if (files.length === 0) return;
    const ids: string[] = files.map(() => randomUUIDv7());
    const specs = files.map(({ spec }) => JSON.stringify(spec));
    const values = [...requestedParameters(files), ids, arrayOfJson(specs)];
    const written = await this.database.query<{ id: string; mediaId: string }>(PREPARE, values);
    if (request.again) await this.database.query(TRY_AGAIN, requestedParameters(files));
    const added = written.filter(({ id }) => ids.includes(id)).map(({ mediaId }) => mediaId);
    if (added.length > 0) await this.database.query(REMOVE_SURPLUS, [added]);
  }
}

/** One statement cannot write a row twice. */
function distinct(files: readonly RequestedRendition[]): RequestedRendition[] {
  return [...new Map(files.map((file) => [`${file.mediaId} ${canonicalSpec(file.spec)}`, file])).values()];
}
