import { type Executor, statement } from '#libs/database';
import { RENDITION_COLUMNS, type RenditionRow } from '../views/rendition.view.js';

/** A file has one for each network that publishes it, and older ones after a change of its focus point. */
const MAX_LISTED = 50;

const LIST = statement(
  'list_renditions',
  `SELECT ${RENDITION_COLUMNS} FROM media.rendition WHERE media_id = $1 ORDER BY id DESC LIMIT ${MAX_LISTED}`,
);

/** Newest first; at most MAX_LISTED. */
export const renditionsOfFile = (executor: Executor, mediaId: string): Promise<RenditionRow[]> =>
  executor.query<RenditionRow>(LIST, [mediaId]);
