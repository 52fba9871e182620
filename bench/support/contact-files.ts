import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Database } from '#libs/database';
import { rowIds } from '../../src/contacts/csv/import/staging.js';

const FIRST = ['Jana', 'Max', 'Anna', 'José', 'Olga', 'Wei', 'Fatima', 'Jürgen', 'Chloé', 'Ivan'];
const LAST = [
  'Nováková',
  'Müller',
  'Smith',
  'García',
  'Иванова',
  'Chen',
  'Haddad',
  'Okafor',
  'Dubois',
  'Larsen',
];

/** The cells of contact `n`: every one another person, companies and tags shared by many. */
export function contactRow(n: number): string[] {
  const name = `${FIRST[n % 10] as string} ${LAST[Math.floor(n / 10) % 10] as string} ${n.toString(36)}`;
  return [
    ...[name, `person.${n}@mail${n % 500}.example.com`, `Company ${n % 5_000}`, 'Engineer'],
    ...[`+49 30 ${1_000_000 + n}`, `tag${n % 20}; tag${n % 7}`, `ext-${n}`, `plan ${n % 3}`],
  ];
}

export const CONTACT_HEADER = [
  ...['name', 'email', 'company', 'jobTitle', 'phones', 'tags', 'externalId', 'customFields.plan'],
];

/** Writes contacts `from` to `to` as a CSV file, without holding them in memory. */
export async function writeContacts(path: string, from: number, to: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(`${CONTACT_HEADER.join(',')}\r\n`);
  for (let n = from; n < to; n += 1_000) {
    const rows = Array.from(
      { length: Math.min(1_000, to - n) },
      (_, at) => `${contactRow(n + at).join(',')}\r\n`,
    );
    if (!file.write(rows.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** The same contacts in the table, made there. */
export async function insertContacts(
  database: Database,
  organizationId: string,
  count: number,
): Promise<void> {
  const idOf = rowIds();
  for (let n = 0; n < count; n += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, count - n) }, (_, at) => {
      const [name, email, company, jobTitle, phone, tags = '', externalId, plan] = contactRow(n + at);
      const lists = { phones: [phone], tags: tags.split('; '), custom_fields: { plan } };
      return {
        id: idOf(n + at),
        name,
        email,
        company,
        job_title: jobTitle,
        external_id: externalId,
        ...lists,
      };
    });
    await database.query(
      `INSERT INTO contacts.contact (id, organization_id, name, email, email_key, company, job_title, phones, tags,
         custom_fields, external_id)
       SELECT id, $2, name, email, email, company, job_title, phones, tags, custom_fields, external_id
       FROM jsonb_to_recordset($1::jsonb) AS row (id uuid, name text, email text, company text, job_title text,
         phones text[], tags text[], custom_fields jsonb, external_id text)`,
      [JSON.stringify(rows), organizationId],
    );
  }
}
