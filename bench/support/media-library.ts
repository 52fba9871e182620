import type { Database } from '#libs/database';
import { SYLLABLES } from './syllables.js';

const PICK = (salt: number) => `(hashint8(g * 16 + ${salt})::bigint & 2147483647)`;

/** As in natural language: the word of rank n is 1/n as frequent as the first one, which 34 % of the alt texts have. */
const VOCABULARY = 1_000;
const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => {
  const at = (n: number) => SYLLABLES[n % SYLLABLES.length] as string;
  return at(rank * 7) + at(Math.floor(rank / SYLLABLES.length) * 11 + 3) + (rank % 2 === 0 ? 'a' : '');
});
/** The position of a word whose rank follows Zipf's law, from a uniform number. */
const zipf = (uniform: string) => `least(${VOCABULARY}, floor(exp(${uniform} * ln(${VOCABULARY} + 1))))::int`;
const WORD = (salt: number) => `words[${zipf(`pick(${salt}) / 2147483648.0`)}]`;

/**
 * Names as cameras give them, with a word that about 37 files of a million share; alt texts of three words; 40 tags. 78 % images,
 * 2 % animations, 20 % videos; one in 5 000 is not ready.
 */
const FILL = `
  INSERT INTO media.file (id, brand_id, status, kind, file_name, content_type, bytes, object_key, upload_expires_at, facts,
    width, height, alt_text, tags, thumbnail_key, created_by_type, created_by)
  SELECT id, $1, CASE WHEN pick(1) % 5000 = 0 THEN 'rejected' ELSE 'ready' END,
    CASE WHEN pick(2) % 50 = 0 THEN 'animation' WHEN pick(2) % 5 = 0 THEN 'video' ELSE 'image' END,
    'IMG_' || g || '-' || syllables[1 + pick(3) % 30] || syllables[1 + pick(4) % 30] || syllables[1 + pick(5) % 30] || '.jpg',
    'image/jpeg', 1, 'media/' || id || '/original', now(), '{"kind": "image", "width": 1200, "height": 800}', 1200, 800,
    ${WORD(6)} || ' and ' || ${WORD(7)} || ' with ' || ${WORD(8)},
    ARRAY['campaign ' || pick(9) % 40], 'media/' || id || '/thumbnail.webp', 'user', 'bench'
  FROM (SELECT g, uuidv7() AS id, $2::text[] AS words, $3::text[] AS syllables
        FROM generate_series($4::bigint, $5::bigint) AS g) AS numbered`;

/** As many files as a large brand has. The index on words is made at the end, as it is faster. */
export async function fillMediaLibrary(database: Database, brandId: string, files: number): Promise<void> {
  const statement = FILL.replaceAll(/pick\((\d+)\)/g, (_, salt: string) => PICK(Number(salt)));
  const [index] = await database.query<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = 'media' AND indexname = 'file_search'`,
  );
  await database.query('DROP INDEX media.file_search');
  for (let from = 1; from <= files; from += 50_000)
    await database.query(statement, [brandId, WORDS, SYLLABLES, from, Math.min(files, from + 49_999)]);
  await database.query(index?.definition ?? '');
  await database.query('VACUUM ANALYZE media.file');
}

const any = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const rareWord = () => [1, 2, 3].map(() => any(SYLLABLES)).join('');
const number = (below: number) => Math.floor(Math.random() * below);

/** A word of alt texts, as often as it occurs there. */
const word = () => WORDS[Math.floor(Math.exp(Math.random() * Math.log(VOCABULARY + 1))) - 1] as string;

/** Queries of `/api/media`. */
export const MEDIA_QUERIES: Readonly<Record<string, () => Record<string, string>>> = {
  'the first page': () => ({}),
  'a rare prefix': () => ({ q: rareWord().slice(0, 7) }),
  'a word of every file': () => ({ q: 'img' }),
  'two words and a prefix of alt texts': () => ({ q: `${word()} ${word()} ${word().slice(0, 3)}` }),
  'a tag and a kind': () => ({ tag: `campaign ${number(40)}`, kind: 'animation' }),
  'a word among videos': () => ({ q: word(), kind: 'video', status: 'ready' }),
  'a rare status': () => ({ status: 'rejected' }),
};
