import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import type { AiMark, DeliveryFile } from '#libs/content';
import { Database, type Executor, statement } from '#libs/database';
import { RequestQuery } from '#libs/messages';
import type { Rejection } from '../../inspection/domain/inspection.types.js';
import { RENDITION_COLUMNS, type RenditionFailure, type RenditionRow } from '../views/rendition.view.js';
import {
  REQUESTED,
  requestedParameters,
  type RequestedRendition,
  SPEC_KEY,
} from '../views/requested-renditions.js';
import { type ReadyRow, RenditionFiles } from './rendition-files.js';

/** A file has one for each network that publishes it, and older ones after a change of its focus point. */
const MAX_LISTED = 50;

const LIST = statement(
  'list_renditions',
  `SELECT ${RENDITION_COLUMNS} FROM media.rendition WHERE media_id = $1 ORDER BY id DESC LIMIT ${MAX_LISTED}`,
);

/** Newest first; at most MAX_LISTED. */
export const renditionsOfFile = (executor: Executor, mediaId: string): Promise<RenditionRow[]> =>
  executor.query<RenditionRow>(LIST, [mediaId]);

/**
 * `failed` is definite. `media_missing`: the file, or its object, does not exist any more. `lastFailure`: it failed before, and is tried
 * once more.
 */
export type Rendition =
  | { readonly kind: 'ready'; readonly file: DeliveryFile }
  | { readonly kind: 'pending'; readonly lastFailure: RenditionFailure | null }
  | ({ readonly kind: 'failed' } & RenditionFailure);

/**
 * The renditions of files, in the order of the request. `pending` also when it was never asked for: send `PrepareRenditions` before. Does
 * not check the caller's access to the files: the calling feature does.
 */
export class GetRenditions extends RequestQuery<{ files: readonly RequestedRendition[] }, Rendition[]> {}

type FoundRow = {
  readonly file_id: string | null;
  readonly rejection: Rejection | null;
  readonly ai_mark: AiMark | null;
  readonly alt_text: string | null;
} & {
  readonly [Column in keyof RenditionRow]: RenditionRow[Column] | null;
};

const FIND = statement(
  'get_renditions',
  `SELECT file.id AS file_id, file.rejection, file.ai_mark, file.alt_text, rendition.*
   FROM ${REQUESTED}
   LEFT JOIN media.file AS file ON file.id = wanted.media_id
   LEFT JOIN (SELECT spec_key, ${RENDITION_COLUMNS} FROM media.rendition) AS rendition
     ON rendition.media_id = file.id AND rendition.spec_key = ${SPEC_KEY}
   ORDER BY wanted.number`,
);

const MISSING: Rendition = {
  kind: 'failed',
  code: 'media_missing',
  message: 'The file is no longer in the library. Choose another file.',
};

@QueryHandler(GetRenditions)
export class GetRenditionsHandler implements IQueryHandler<GetRenditions> {
  constructor(
    private readonly database: Database,
    private readonly files: RenditionFiles,
  ) {}

  async execute({ request: { files } }: GetRenditions): Promise<Rendition[]> {
    if (files.length === 0) return [];
    const rows = await this.database.query<FoundRow>(FIND, requestedParameters(files));
    return rows.map((row) => this.renditionOf(row));
  }

  private renditionOf(row: FoundRow): Rendition {
    if (row.file_id === null) return MISSING;
    if (row.status === 'failed' && row.failure !== null) return { kind: 'failed', ...row.failure };
    if (row.status === 'ready') return { kind: 'ready', file: this.files.fileOf(row as ReadyRow) };
    if (row.rejection !== null) return { kind: 'failed', ...row.rejection };
    return { kind: 'pending', lastFailure: row.failure };
  }
}
