import fc from 'fast-check';
import { ContactHasNoName } from './contact.errors.js';
import type { ContactFields } from './contact.js';
import { change, create, tidyList, tidyText } from './contact.js';

const ada: ContactFields = {
  ...{ name: 'Ada', email: 'ada@example.com', company: null, jobTitle: null, phones: ['1', '2'] },
  ...{ tags: [], customFields: { a: 1, b: null }, externalId: null },
};

describe('a contact', () => {
  it('has a name or an email', () => {
    expect(create({ name: 'Ada' }).fields).toMatchObject({ name: 'Ada', email: null, tags: [] });
    expect(create({ email: 'ada@example.com' }).named).toEqual(['email']);
    expect(() => create({ company: 'Acme' })).toThrow(ContactHasNoName);
    expect(() => change(ada, { name: null, email: null })).toThrow(ContactHasNoName);
    expect(change(ada, { name: null }).fields.name).toBeNull();
  });

  it('keeps what is not named and clears what is null', () => {
    const { fields, changed } = change(ada, { name: undefined, phones: null, company: 'Acme' });
    expect(fields).toEqual({ ...ada, phones: [], company: 'Acme' });
    expect(changed).toEqual(['company', 'phones']);
  });

  it('does not change by being told what it is, whatever the order of custom fields', () => {
    expect(change(ada, { ...ada, customFields: { b: null, a: 1 } }).changed).toEqual([]);
    expect(change(ada, { phones: ['2', '1'] }).changed).toEqual(['phones']);
    expect(change(ada, { customFields: { a: '1', b: null } }).changed).toEqual(['customFields']);
  });
});

describe('tidying', () => {
  it('takes off space; what is empty is nothing', () => {
    expect([tidyText('  a b\u00a0'), tidyText(' \t\n '), tidyText('')]).toEqual(['a b', null, null]);
  });

  it('keeps the first of texts that differ in case only', () => {
    expect(tidyList([' b ', 'A', '', 'a', 'B'])).toEqual(['b', 'A']);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (list) => {
        const once = tidyList(list);
        expect(tidyList(once)).toEqual(once);
      }),
    );
  });
});
