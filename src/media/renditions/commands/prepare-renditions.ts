import { randomUUIDv7 } from 'node:crypto';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import { arrayOfJson, Database, statement } from '#libs/database';
import { canonicalSpec } from '../domain/spec-digest.js';
import type { RequestedRendition } from '../views/requested-renditions.js';
import { REQUESTED, requestedParameters, SPEC_KEY } from '../views/requested-renditions.js';

export interface RenditionsToPrepare {
  readonly files: readonly RequestedRendition[];
  /** Those that failed are tried once more: a person asks, or the cause was not in the file. Default false. */
  readonly again?: boolean;
}

/**
 * Asks for renditions ahead of publishing; the worker makes them. Idempotent: one rendition for each file, specification and focus point.
 * Files that do not exist or are not ready are ignored. Joins the caller's transaction; append events of the transaction before.
 */
export class PrepareRenditions extends Command<void> {
  constructor(readonly request: RenditionsToPrepare) {
    super();
  }
}

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
   WHERE rendition.last_needed_at < now() - interval '1 hour'`,
);

const TRY_AGAIN = statement(
  'try_failed_renditions_again',
  `UPDATE media.rendition SET status = 'pending', failure = NULL, takeovers = 0, due_at = now()
   FROM ${REQUESTED} JOIN media.file ON file.id = wanted.media_id
   WHERE rendition.media_id = file.id AND rendition.spec_key = ${SPEC_KEY} AND rendition.status = 'failed'`,
);

@CommandHandler(PrepareRenditions)
export class PrepareRenditionsHandler implements ICommandHandler<PrepareRenditions> {
  constructor(private readonly database: Database) {}

  async execute({ request }: PrepareRenditions): Promise<void> {
    const files = distinct(request.files);
    if (files.length === 0) return;
    if (request.again) await this.database.query(TRY_AGAIN, requestedParameters(files));
    const ids = files.map(() => randomUUIDv7());
    const specs = files.map(({ spec }) => JSON.stringify(spec));
    await this.database.query(PREPARE, [...requestedParameters(files), ids, arrayOfJson(specs)]);
  }
}

/** One statement cannot write a row twice. */
function distinct(files: readonly RequestedRendition[]): RequestedRendition[] {
  return [...new Map(files.map((file) => [`${file.mediaId} ${canonicalSpec(file.spec)}`, file])).values()];
}
