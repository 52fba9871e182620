import type { Database } from '#libs/database';
import { SYLLABLES } from './syllables.js';

const FIRST = [
  ...['Anna', 'Maria', 'John', 'Peter', 'Jana', 'Petra', 'Lukáš', 'Jürgen', 'Søren', 'Zoë', 'Иван', 'Ольга'],
  ...['Mohamed', 'Fatima', 'Chloé', 'Liam', 'Olivia', 'Noah', 'Emma', 'Oliver', 'Ava', 'William', 'Sophia'],
  ...[
    'James',
    'Isabella',
    'Benjamin',
    'Mia',
    'Lucas',
    'Henry',
    'Amelia',
    'Theodor',
    'Charlotte',
    '太郎',
    '花子',
  ],
];
const LAST = [
  ...['Smith', 'Müller', 'Novák', 'Garcia', 'Schmidt', 'Johnson', 'Brown', 'Jones', 'Miller', 'Davis'],
  ...['Rodriguez', 'Martinez', 'Hernandez', 'Lopez', 'Gonzalez', 'Wilson', 'Anderson', 'Thomas', 'Taylor'],
  ...['Moore', 'Jackson', 'Martin', 'Perez', 'Thompson', 'White', 'Harris', 'Sanchez', 'Clark', 'Ramirez'],
];
const DOMAINS = ['gmail.com', 'example.com', 'outlook.com', 'acme.co.uk', 'yahoo.fr', 'firma.de', 'web.cz'];
const FORMS = ['GmbH', 'Ltd', 'Inc', 's.r.o.', 'Coffee', 'Bank', 'Logistics'];
const TAGS = [
  'customer',
  'lead',
  'partner',
  'vip',
  'newsletter',
  'berlin',
  'prague',
  'trial',
  'churned',
  'press',
];

/** Three in ten contacts have one of few surnames, the others one of 27 000: about 26 of each in a million. */
const FILL = `
  INSERT INTO contacts.contact (id, organization_id, name, email, email_key, company, tags)
  SELECT uuidv7(), $1, first || ' ' || last, email, email,
    CASE WHEN pick(5) % 10 < 6 THEN initcap(syllables[1 + pick(6) % 30] || syllables[1 + pick(7) % 30]) || ' ' || forms[1 + pick(8) % 7] END,
    CASE WHEN pick(9) % 2 = 0 THEN ARRAY[tags[1 + pick(10) % 10]] ELSE '{}' END
  FROM book`;

const PICK = (salt: number) => `(hashint8(g * 16 + ${salt})::bigint & 2147483647)`;

/** As many contacts as an organization of a million would have them: common names and rare ones, shared domains and tags. */
export async function fillAddressBook(database: Database, organizationId: string, contacts: number) {
  const text = (names: readonly string[]) => `ARRAY['${names.join("','")}']`;
  const book = `WITH numbered AS (
      SELECT g, ${text(SYLLABLES)} AS syllables, ${text(FORMS)} AS forms, ${text(TAGS)} AS tags,
        (${text(FIRST)})[1 + (pick(1) % ${FIRST.length})::int] AS first,
        CASE WHEN pick(2) % 10 < 3 THEN (${text(LAST)})[1 + (pick(3) % ${LAST.length})::int] END AS common
      FROM generate_series($2::bigint, $3::bigint) AS g),
    named AS (
      SELECT *, coalesce(common, initcap(
        syllables[1 + pick(11) % 30] || syllables[1 + pick(12) % 30] || syllables[1 + pick(13) % 30])) AS last
      FROM numbered),
    book AS (
      SELECT *, lower(contacts.fold(first) || '.' || contacts.fold(last)) || pick(4) % 1000 || '@' ||
        (${text(DOMAINS)})[1 + (pick(14) % ${DOMAINS.length})::int] AS email
      FROM named)`;
  const statement = `${book} ${FILL}`.replaceAll(/pick\((\d+)\)/g, (_, salt: string) => PICK(Number(salt)));
  const indexes = await database.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'contacts' AND tablename = 'contact' AND indexdef LIKE '%USING gin%'`,
  );
  for (const { name } of indexes) await database.query(`DROP INDEX contacts.${name}`);
  for (let from = 1; from <= contacts; from += 50_000)
    await database.query(statement, [organizationId, from, Math.min(contacts, from + 49_999)]);
  for (const { definition } of indexes) await database.query(definition);
  await database.query('VACUUM ANALYZE contacts.contact');
}

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const rareName = () => [1, 2, 3].map(() => any(SYLLABLES)).join('');
const commonName = () => any(LAST.filter((name) => name.length > 4));

/** Two neighbours swapped, somewhere inside. */
function misspelled(name: string): string {
  const at = 1 + Math.floor(Math.random() * (name.length - 2));
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
}

/** Typical searches; each matches in a full address book. */
export const TYPED: Readonly<Record<string, () => string>> = {
  'a rare prefix': () => rareName().slice(0, 7),
  'two common words': () => `${any(LAST)} ${any(FIRST)}`,
  'a part of an email': () => rareName().slice(1),
  'a typo': () => misspelled(any([rareName, commonName])()),
};
