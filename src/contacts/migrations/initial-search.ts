/** Addresses in the form in which they are compared: a domain in Unicode, also of an address that has it in Punycode. */
const EMAILS = `coalesce(email_key, email, '') || ' ' || contacts.joined(
  CASE WHEN additional_email_keys = '{}' THEN additional_emails ELSE additional_email_keys END)`;

/**
 * Every word begins with a mark of its organization, so that a search reads no contacts of others. The words of a name are in the
 * index a second time, marked with `~`, which no word holds, so that a name is found among any number of companies and addresses
 * with the same word. Each phone number is indexed from each of its digits on: a part of it is then the beginning of a word.
 */
export const SEARCH = `contacts.marked(
  setweight(to_tsvector('simple', contacts.words(name)), 'A') ||
  setweight(to_tsvector('simple',
    contacts.words(${EMAILS})), 'B') ||
  setweight(to_tsvector('simple', contacts.words(coalesce(company, '') || ' ' || coalesce(department, '') || ' ' || coalesce(job_title, ''))), 'C') ||
  setweight(to_tsvector('simple',
    contacts.words(contacts.joined(tags) || ' ' || coalesce(external_id, ''))), 'D') ||
  array_to_tsvector(contacts.name_marks(name)) || array_to_tsvector(contacts.phone_ends(phones)), contacts.mark_of(organization_id))`;

/** What the middle of a word is looked for in. */
export const HAYSTACK = `
  contacts.fold(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || contacts.joined(additional_emails) || ' ' ||
    coalesce(company, '') || ' ' || coalesce(department, '') || ' ' || contacts.joined(tags) || ' ' || coalesce(job_title, '') || ' ' || coalesce(external_id, '') || ' ' ||
    contacts.digits(phones))`;

/**
 * Removed from words, as Unicode code points with both ends included: soft hyphen, direction marks, joiners, word joiner, BOM;
 * tatweel; Arabic and Hebrew vowel marks; zero-width space.
 */
const REMOVED: readonly (readonly [number, number])[] = [
  ...[0x00ad, 0x061c, 0x2060, 0xfeff, 0x0640, 0x0670, 0x05bf, 0x05c7].map((one) => [one, one] as const),
  [0x200c, 0x200f],
  [0x064b, 0x065f],
  [0x06d6, 0x06dc],
  [0x06df, 0x06e4],
  [0x0591, 0x05bd],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x200b, 0x200b],
];
const characters = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n)).join('');
const REMOVED_RANGES = REMOVED.map(
  ([first, last]) => `${characters(first, first)}-${characters(last, last)}`,
).join('');
const REMOVED_CHARACTERS = REMOVED.map(([first, last]) => characters(first, last)).join('');

/**
 * Scripts without spaces between words: CJK radicals to unified ideographs with the kana and Hangul letters between them, Hangul
 * syllables, compatibility ideographs and the two ideographic planes.
 */
const UNSPACED = String.raw`[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\U00020000-\U0003FFFF]`;

/** A lexeme may have 2 046 bytes, the mark included. */
const LONGEST_WORD = 2_000;

/**
 * Words are cut the same way when contacts are written and when they are looked for: at everything that is no letter or
 * digit, so that an address, `acme.com` and `2024-11` fall into parts and are found by each; and between the characters
 * of scripts that put no space between words. PostgreSQL's own parser would keep addresses, hosts, paths and signed
 * numbers whole. Words of one person in other forms fold to one: final sigma, vowel marks, invisible joiners.
 *
 * In PL/pgSQL where they call what is only stable (`array_to_string`) or `unaccent`, which is immutable once its dictionary is
 * named: a function in SQL is then not inlined and costs several times as much for every row.
 */
export const SEARCH_FUNCTIONS = [
  // `translate` compares every character with its whole list, and few texts have any of them. What has no counterpart is removed.
  `CREATE FUNCTION contacts.fold(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE folded text;
   BEGIN
     IF value IS NULL THEN RETURN ''; END IF;
     IF octet_length(value) = length(value) THEN RETURN lower(value); END IF;
     folded := lower(normalize(value, NFKC));
     IF folded ~ '[ς${REMOVED_RANGES}]' THEN folded := translate(folded, 'ς${REMOVED_CHARACTERS}', 'σ'); END IF;
     RETURN public.unaccent('public.unaccent'::regdictionary, folded);
   END $$`,
  `CREATE FUNCTION contacts.words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     spaced text := translate(contacts.fold(value), '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~', repeat(' ', 32));
   BEGIN
     IF octet_length(spaced) = length(spaced) THEN RETURN spaced; END IF;
     RETURN regexp_replace(spaced, '${UNSPACED}', ' \\& ', 'g');
   END $$`,
  `CREATE FUNCTION contacts.joined(list text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
   AS $$ BEGIN RETURN array_to_string(list, ' '); END $$`,
  // Lists by name are ordered by it; cut, because an index holds no longer entries.
  `CREATE FUNCTION contacts.sort_name(name text, email text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT left(contacts.fold(coalesce(name, email)), 200) $$`,
  // Of each phone number, apart from the next one.
  String.raw`CREATE FUNCTION contacts.digits(phones text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
   AS $$ BEGIN RETURN regexp_replace(array_to_string(phones, '|'), '[^0-9|]', '', 'g'); END $$`,
  `CREATE FUNCTION contacts.phone_ends(phones text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF cardinality(phones) = 0 THEN RETURN '{}'; END IF;
     RETURN ARRAY(
       SELECT DISTINCT '#' || substr(number, first)
       FROM unnest(string_to_array(contacts.digits(phones), '|')) AS number, generate_series(1, length(number) - 4) AS first);
   END $$`,
  // Where all words together are shorter than a lexeme may be, each is.
  `CREATE FUNCTION contacts.name_marks(value text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   DECLARE
     words text[] := tsvector_to_array(to_tsvector('simple', contacts.words(value)));
     joined text := array_to_string(words, ' ~');
   BEGIN
     IF joined = '' THEN RETURN '{}'; END IF;
     IF octet_length(joined) < 2046 THEN RETURN string_to_array('~' || joined, ' '); END IF;
     RETURN ARRAY(SELECT '~' || word FROM unnest(words) AS word WHERE octet_length(word) < 2046);
   END $$`,
  // The end of an id is random, whichever version of UUID it has. Two organizations with one mark only read more.
  `CREATE FUNCTION contacts.mark_of(organization uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
   AS $$ SELECT right(organization::text, 8) $$`,
  // In the text of a tsvector each word begins with a quote; words hold neither quotes nor spaces.
  `CREATE FUNCTION contacts.marked(words tsvector, mark text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
   BEGIN
     IF octet_length(words::text) > ${LONGEST_WORD} THEN
       words := ts_delete(words, ARRAY(SELECT lexeme FROM unnest(words) WHERE octet_length(lexeme) > ${LONGEST_WORD}));
     END IF;
     RETURN replace(' ' || words::text, ' ''', ' ''' || mark)::tsvector;
   END $$`,
  // Of one word, parts must stand together; of the last one the beginning is enough.
  `CREATE FUNCTION contacts.wanted(given text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT (string_agg(query, ' & ' ORDER BY number) || ':*')::tsquery
     FROM (
       SELECT number, nullif(phraseto_tsquery('simple', contacts.words(word))::text, '') AS query
       FROM unnest(given) WITH ORDINALITY AS one (word, number)) AS words $$`,
  // The same with each word in one of two spellings.
  `CREATE FUNCTION contacts.wanted(given text[], others text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT string_agg('(' || concat_ws(' | ', query || ending, other || ending) || ')', ' & ' ORDER BY number)::tsquery
     FROM (
       SELECT number, CASE WHEN number = cardinality(given) THEN ':*' ELSE '' END AS ending,
         nullif(phraseto_tsquery('simple', contacts.words(word))::text, '') AS query,
         nullif(phraseto_tsquery('simple', contacts.words(spelled))::text, '') AS other
       FROM unnest(given, others) WITH ORDINALITY AS one (word, spelled, number)) AS words
     WHERE query IS NOT NULL OR other IS NOT NULL $$`,
  // The same of marked words, whether or not they stand together: marks have no place in the name.
  `CREATE FUNCTION contacts.wanted_in_name(given text[], others text[]) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT string_agg('(' || concat_ws(' | ', query, other) || ')', ' & ' ORDER BY number)::tsquery
     FROM (
       SELECT number,
         (SELECT '(' || string_agg(quote_literal(mark) || ending, ' & ') || ')' FROM unnest(contacts.name_marks(word)) AS mark) AS query,
         (SELECT '(' || string_agg(quote_literal(mark) || ending, ' & ') || ')' FROM unnest(contacts.name_marks(spelled)) AS mark) AS other
       FROM (
         SELECT one.*, CASE WHEN number = cardinality(given) THEN ':*' ELSE '' END AS ending
         FROM unnest(given, others) WITH ORDINALITY AS one (word, spelled, number)) AS ended) AS words
     WHERE query IS NOT NULL OR other IS NOT NULL $$`,
  // The same for two spellings of one full name, which differ in case, accents, spaces, full stops or commas; '' of no name. The
  // order of words counts: Martin Pavel and Pavel Martin are two people. It is in indexes: a change of it or `fold` rebuilds them.
  `CREATE FUNCTION contacts.name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT btrim(regexp_replace(contacts.fold(name), '[[:space:].,]+', ' ', 'g')) $$`,
];
