import { Injectable } from '@nestjs/common';
import type { ListQuery, Page } from '#libs/http';
import { CursorCodec, mapPage, pageOf } from '#libs/http';

/** Pages of lists in id order, which is time order: ids are UUIDv7. */
@Injectable()
export class IdPages {
  constructor(private readonly codec: CursorCodec) {}

  /**
   * @param list name of the list and id of its owner: a cursor is valid for this list only.
   * @param rows loads up to `count` rows after the id; from the start for null.
   */
  async page<Row extends { readonly id: string }, Dto>(
    list: string,
    query: ListQuery,
    rows: (after: string | null, count: number) => Promise<readonly Row[]>,
    toDto: (row: Row) => Dto,
  ): Promise<Page<Dto>> {
    const scope = { list };
    const [after = null] = this.codec.decode(query.cursor, scope) ?? [];
    const found = await rows(typeof after === 'string' ? after : null, query.limit + 1);
    const cursor = (last: Row) => this.codec.encode([last.id], scope);
    return mapPage(pageOf(found, { limit: query.limit, cursor }), toDto);
  }
}
