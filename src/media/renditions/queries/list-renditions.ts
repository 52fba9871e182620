import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Database, statement } from '#libs/database';
import type { RenditionRow } from '../views/rendition.view.js';
import { RENDITION_COLUMNS } from '../views/rendition.view.js';

/** The newest renditions of one file. Does not check the caller's access to it. */
export class ListRenditions extends Query<RenditionRow[]> {
  constructor(readonly request: { readonly mediaId: string }) {
    super();
  }
}

/** A file has one for each network that publishes it, and older ones after a change of its focus point. */
const MAX_LISTED = 50;

const LIST = statement(
  'list_renditions',
  `SELECT ${RENDITION_COLUMNS} FROM media.rendition WHERE media_id = $1 ORDER BY id DESC LIMIT ${MAX_LISTED}`,
);

@QueryHandler(ListRenditions)
export class ListRenditionsHandler implements IQueryHandler<ListRenditions> {
  constructor(private readonly database: Database) {}

  execute({ request: { mediaId } }: ListRenditions): Promise<RenditionRow[]> {
    return this.database.query<RenditionRow>(LIST, [mediaId]);
  }
}
