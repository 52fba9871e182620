import { Injectable } from '@nestjs/common';
import { type Counted, mapPage, type Page, pageOf } from './page.js';
import { CursorCodec, type CursorKey, type CursorScope } from './cursor-codec.js';

/** A list in an order. Its cursors are valid only for it and its filters. */
export interface OrderedList<Row, Key extends CursorKey> extends CursorScope {
  /** The position of a row. */
  readonly keyOf: (row: Row) => Key;
  /** For a list to follow: its pages always have `nextCursor`, from here on when no row has come yet. */
  readonly start?: Key;
}

/** What of the query a page depends on. */
export interface AskedPage {
  readonly limit: number;
  readonly cursor?: string;
}

/** Rows with what else the page shows of all of them. */
export interface CountedRows<Row> extends Counted {
  readonly rows: readonly Row[];
  /** There are more rows than these, although they are fewer than asked for. */
  readonly hasMore?: boolean;
  readonly page?: number;
}

/** Loads up to `count` rows after the key; from the start for null. `count` is one more than the page shows. */
type LoadRows<Row, Key> = (after: Key | null, count: number) => Promise<readonly Row[] | CountedRows<Row>>;

/** Pages of lists: reads the cursor of the query, and makes the next one. */
@Injectable()
export class Pages {
  constructor(private readonly cursors: CursorCodec) {}

  async page<Row, Dto, Key extends CursorKey>(
    list: OrderedList<Row, Key>,
    asked: AskedPage,
    load: LoadRows<Row, Key>,
    toDto: (row: Row) => Dto,
  ): Promise<Page<Dto>> {
    const after = this.after(list, asked);
    const loaded = await load(after, asked.limit + 1);
    const page = this.shown(list, asked, loaded);
    if (list.start !== undefined) {
      const last = page.data.at(-1);
      const key = last === undefined ? (after ?? list.start) : list.keyOf(last);
      page.pagination.nextCursor = this.cursors.encode(key, scopeOf(list));
    }
    return mapPage(page, toDto);
  }

  /** In the order of ids, which is that of time: ids are UUIDv7. */
  byId<Row extends { readonly id: string }, Dto = Row>(
    scope: CursorScope,
    asked: AskedPage,
    load: LoadRows<Row, string>,
    toDto: (row: Row) => Dto = (row) => row as unknown as Dto,
  ): Promise<Page<Dto>> {
    const list = { ...scope, keyOf: ({ id }: Row): readonly [string] => [id] };
    return this.page(list, asked, (after, count) => load(after?.[0] ?? null, count), toDto);
  }

  /** The position of the cursor: cursors are signed, so a valid one holds a key of this list. */
  after<Row, Key extends CursorKey>(list: OrderedList<Row, Key>, { cursor }: AskedPage): Key | null {
    return (this.cursors.decode(cursor, scopeOf(list)) as Key | undefined) ?? null;
  }

  /** The page of rows that are loaded. */
  shown<Row, Key extends CursorKey>(
    list: OrderedList<Row, Key>,
    { limit }: AskedPage,
    loaded: readonly Row[] | CountedRows<Row>,
  ): Page<Row> {
    const { rows, ...counts } = 'rows' in loaded ? loaded : { rows: loaded };
    const cursor = (last: Row) => this.cursors.encode(list.keyOf(last), scopeOf(list));
    return pageOf(rows, { limit, cursor, ...counts });
  }
}

const scopeOf = ({ list, filters }: CursorScope): CursorScope => ({ list, filters });
