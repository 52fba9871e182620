import fc from 'fast-check';
import { plainToInstance } from 'class-transformer';
import { AmongFilter, FlagFilter, IdFilter, InstantFilter, wordsIn } from './parameters.js';

class Filters {
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

  it('say nothing when they are not sent', () => {
    expect({ ...read({}) }).toEqual({ id: undefined, status: undefined, from: undefined, deleted: false });
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
