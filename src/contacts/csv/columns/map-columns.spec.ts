import { jest } from '@jest/globals';
import { MappingIsNotValid } from '../domain/csv.errors.js';
import { mapColumns } from './map-columns.js';

function indices(columns: string[], names: string[]): number[] {
  const given = Object.fromEntries(names.map((name, n) => [name, n === 0 ? 'name' : 'tags']));
  return mapColumns({ organizationId: '', columns, given }).map(({ index }) => index);
}

describe('the columns that a mapping names', () => {
  it('are known by their names, by their numbers, and by other spellings, in this order', () => {
    const columns = ['Kunde', 'kunde', 'E-Mail', 'e mail', '#1', '!', '?'];
    expect(indices(columns, ['kunde'])).toEqual([1]);
    expect(indices(columns, [' Kunde '])).toEqual([0]);
    expect(indices(columns, ['KUNDE'])).toEqual([0]);
    expect(indices(columns, ['email'])).toEqual([2]);
    expect(indices(columns, ['#1'])).toEqual([4]);
    expect(indices(columns, ['#2', '#7'])).toEqual([1, 6]);
    expect(indices(columns, ['?'])).toEqual([6]);
  });

  it.each(['#0', '#8', '#99999', '#100000', '...', ''])('are not those of %j', (name) => {
    const columns = ['Kunde', 'kunde', 'E-Mail', 'e mail', '#1', '!', '?'];
    expect(() => indices(columns, [name])).toThrow(MappingIsNotValid);
  });

  it('may have names that no language has', () => {
    const marks = '\u0301\u0323'.repeat(500_000);
    expect(indices(['Kunde', `Vorname${marks}`, `customFields.${marks}`], ['kunde'])).toEqual([0]);
  });

  it('are looked for among spellings that are made once', () => {
    const spelled = Array.from({ length: 1_000 }, (_, n) => `Column ${n}${' '.repeat(200)}.`);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    const names = spelled.map((name) => name.toUpperCase());
    const found = indices(spelled, names);
    const times = normalize.mock.calls.length;
    normalize.mockRestore();
    expect(found).toEqual(spelled.map((_, index) => index));
    expect(times).toBeLessThan(10 * spelled.length);
  });
});
