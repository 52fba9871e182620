import fc from 'fast-check';
import { plainToInstance } from 'class-transformer';
import { runInContext } from '../context/request-context.js';
import { CursorCodec } from './cursor-codec.js';
import { ListQuery } from './list-query.js';
import { listWarnings } from './list-warnings.js';
import { AmongFilter, FlagFilter, IdFilter, InstantFilter, wordsIn } from './parameters.js';

class Filters extends ListQuery {
  @IdFilter()
  id?: string;

  @AmongFilter(['draft', 'failed', 'published'])
  status?: string[];

  @InstantFilter()
  from?: string;

  @FlagFilter()
  deleted: boolean = false;
}

const read = (sent: Record<string, unknown>) => plainToInstance(Filters, sent);
const inRequest = <T>(work: () => T) => runInContext({ requestId: 'r', correlationId: 'c' }, work);
/** Parameter and code of each warning. */
const warned = (sent: Record<string, unknown>) =>
  inRequest(() => {
    read(sent);
    return listWarnings().map(({ parameter, code }) => [parameter, code]);
  });
const ID = '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11';

describe('parameters of a list', () => {
  it.each<[unknown, string | undefined]>([
    [ID, ID],
    [ID.toUpperCase(), ID],
    ['', undefined],
    [undefined, undefined],
    ['17', '00000000-0000-0000-0000-000000000000'],
    [[ID, ID], '00000000-0000-0000-0000-000000000000'],
  ])('take %j for the id %j', (id, expected) => expect(read({ id }).id).toBe(expected));

  it.each<[unknown, string[] | undefined]>([
    ['failed', ['failed']],
    ['published,failed', ['failed', 'published']],
    [
      ['published', ' failed , failed'],
      ['failed', 'published'],
    ],
    ['failed,gone', ['failed']],
    ['gone', undefined],
    ['', undefined],
    [undefined, undefined],
    [{ failed: 'failed' }, undefined],
  ])('find in %j the known names %j', (status, expected) =>
    expect(read({ status }).status).toEqual(expected),
  );

  it.each<[unknown, string | undefined]>([
    ['2026-12-01T10:00:00+01:00', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:00', undefined],
    ['yesterday', undefined],
    [['2026-12-01T09:00:00Z'], undefined],
  ])('take %j for the instant %j', (from, expected) => expect(read({ from }).from).toBe(expected));

  it.each<[unknown, boolean]>([
    ['true', true],
    ['1', true],
    [['0', 'true'], true],
    [['true', 'no'], false],
    ['TRUE', false],
    ['', false],
  ])('take %j for the flag %j', (deleted, expected) => expect(read({ deleted }).deleted).toBe(expected));

  it.each<[Record<string, unknown>, [string, string][]]>([
    [{ id: '17' }, [['id', 'not_an_id']]],
    [{ id: [ID, ID] }, [['id', 'not_an_id']]],
    [{ status: 'failed,gone' }, [['status', 'not_allowed']]],
    [
      { status: ['gone', 'lost'] },
      [
        ['status', 'not_allowed'],
        ['status', 'not_allowed'],
      ],
    ],
    [{ status: ',' }, [['status', 'not_allowed']]],
    [{ from: '2026-12-01T10:00:00 01:00' }, [['from', 'not_an_instant']]],
    [{ deleted: 'yes' }, [['deleted', 'not_a_boolean']]],
    [{ limit: 'all' }, [['limit', 'not_a_number']]],
    [{ cursor: ['a', 'b'] }, [['cursor', 'cursor_not_valid']]],
    [{ includeTotal: 'no' }, [['includeTotal', 'not_a_boolean']]],
    [{ id: '', status: '', from: '', deleted: '', limit: '', cursor: '', includeTotal: '' }, []],
    [{ id: ID, status: 'failed, draft', from: '2026-12-01T09:00:00Z', deleted: '0', limit: '500' }, []],
    [{ utm_source: 'x' }, []],
  ])('of %j warn of %j', (sent, expected) => expect(warned(sent)).toEqual(expected));

  it('warn of a cursor that is forged, or of another list', () => {
    const codec = new CursorCodec('secret');
    const own = codec.encode([1], { list: 'a' });
    const of = (cursor: string | undefined) =>
      inRequest(() => {
        codec.decode(cursor, { list: 'a' });
        return listWarnings().map(({ parameter, code }) => [parameter, code]);
      });
    expect(of(own)).toEqual([]);
    expect(of(undefined)).toEqual([]);
    const warning = [['cursor', 'cursor_not_valid']];
    expect(of(codec.encode([1], { list: 'b' }))).toEqual(warning);
    expect(of(`A${own.slice(1)}`)).toEqual(warning);
    expect(of('x')).toEqual(warning);
  });

  it('name what was sent, and no more of it than fits', () => {
    const long = 'x'.repeat(5_000);
    const messages = inRequest(() => {
      read({ status: [long, ...Array.from({ length: 50 }, (_, index) => `word${index}`)] });
      return listWarnings().map(({ message }) => message);
    });
    expect(messages).toHaveLength(20);
    expect(messages[0]).toBe(
      `must be one or more of draft, failed, published; ${'x'.repeat(100)}… is ignored`,
    );
    expect(messages[1]).toContain('word0 is ignored');
  });

  it('say nothing when they are not sent', () => {
    const { id, status, from, deleted } = read({});
    expect([id, status, from, deleted]).toEqual([undefined, undefined, undefined, false]);
    expect(warned({})).toEqual([]);
  });

  it('never refuse anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(() => read({ id: value, status: value, from: value, deleted: value })).not.toThrow();
        for (const word of wordsIn(value)) expect(word).not.toContain(',');
      }),
    );
  });
});
