import { ContactHasNoName } from './contact.errors.js';
import type { ContactFields } from './contact-fields.js';
import { change, create } from './contact.js';

const ada: ContactFields = {
  name: 'Ada',
  email: 'ada@example.com',
  company: null,
  jobTitle: null,
  phones: ['1', '2'],
  tags: [],
  customFields: { a: 1, b: null },
  externalId: null,
  additionalEmails: [],
  addresses: [],
  birthday: null,
  department: null,
  websites: [],
};

describe('a contact', () => {
  it('has a name, an email, a company or a phone', () => {
    expect(create({ name: 'Ada' }).fields).toMatchObject({ name: 'Ada', email: null, tags: [] });
    expect(create({ email: 'ada@example.com' }).named).toEqual(['email']);
    expect(create({ company: 'Acme' }).named).toEqual(['company']);
    expect(create({ phones: ['+420 601'] }).named).toEqual(['phones']);
    expect(() => create({ jobTitle: 'Roaster' })).toThrow(ContactHasNoName);
    expect(() => change(ada, { name: null, email: null, phones: null })).toThrow(ContactHasNoName);
    expect(change(ada, { name: null }).fields.name).toBeNull();
  });

  it('keeps what is not named and clears what is null', () => {
    const { fields, changed } = change(ada, { name: undefined, phones: null, company: 'Acme' });
    expect(fields).toEqual({ ...ada, phones: [], company: 'Acme' });
    expect(changed).toEqual(['company', 'phones']);
  });

  it('does not change by equal values in any order of custom fields', () => {
    expect(change(ada, { ...ada, customFields: { b: null, a: 1 } }).changed).toEqual([]);
    expect(change(ada, { phones: ['2', '1'] }).changed).toEqual(['phones']);
    expect(change(ada, { customFields: { a: '1', b: null } }).changed).toEqual(['customFields']);
  });
});
