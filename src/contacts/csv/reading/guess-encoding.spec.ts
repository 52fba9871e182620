import fc from 'fast-check';
import iconv from 'iconv-lite';
import { type Language, NAMES } from '../../../../test/support/names-of-languages.js';
import { encodingOf } from './encoding.js';
import { chunkDecoder } from './text-decoder.js';
import { Utf8Scan } from './utf8-scan.js';

/** Encodings that programs write, by the names of iconv-lite, and languages written in them. */
const WRITTEN: readonly (readonly [string, ...Language[]])[] = [
  ['windows-1250', 'cs', 'sk', 'pl', 'hu', 'ro', 'hr', 'de'],
  ['iso-8859-2', 'cs', 'sk', 'pl', 'hu', 'hr'],
  ['windows-1251', 'ru', 'uk', 'bg'],
  ['koi8-r', 'ru', 'bg'],
  ['koi8-u', 'uk'],
  ['ibm866', 'ru'],
  ['maccyrillic', 'ru', 'bg'],
  ['windows-1252', 'de', 'fr', 'es', 'da', 'pt', 'is'],
  ['iso-8859-15', 'de', 'fr'],
  ['macintosh', 'de', 'fr', 'es', 'da', 'pt'],
  ['maccenteuro', 'cs', 'sk', 'pl', 'hu'],
  ['cp437', 'de', 'fr'],
  ['cp850', 'de', 'fr', 'es', 'da', 'pt'],
  ['cp852', 'cs', 'pl', 'hu', 'hr'],
  ['cp857', 'tr'],
  ['windows-1253', 'el'],
  ['iso-8859-7', 'el'],
  ['windows-1254', 'tr', 'de'],
  ['windows-1255', 'he'],
  ['windows-1256', 'ar'],
  ['windows-1257', 'lv', 'lt'],
  ['windows-874', 'th'],
  ['shift_jis', 'ja'],
  ['euc-jp', 'ja'],
  ['gbk', 'zh'],
  ['big5', 'tw'],
  ['euc-kr', 'ko'],
  ['utf-8', 'cs', 'ru', 'ja', 'vi'],
  ['utf-16le', 'de', 'ru', 'zh', 'he'],
  ['utf-16be', 'de', 'ru', 'zh', 'he'],
];
const PAIRS = WRITTEN.flatMap(([label, ...languages]) => languages.map((language) => ({ label, language })));

function decide(bytes: Buffer, chunk = 128 * 1024) {
  const scan = new Utf8Scan();
  for (let at = 0; at < bytes.length; at += chunk) scan.push(bytes.subarray(at, at + chunk));
  return encodingOf(bytes.subarray(0, 65_536), scan.end());
}

function read(bytes: Buffer, label: string): string {
  const decoder = chunkDecoder(label);
  return decoder.write(bytes) + decoder.end();
}

/** Names that the encoding can represent. */
function writable(language: Language, label: string): string[] {
  return NAMES[language]
    .split(' ')
    .filter((name) => read(iconv.encode(name, label), canonical(label)) === name);
}
const canonical = (label: string) => (label === 'maccyrillic' ? 'x-mac-cyrillic' : label);

const fileOf = (names: readonly string[]) =>
  `Name,E-mail,Note\r\n${names.map((name, at) => `${name},p${at}@example.com,"Acme & Co, 12"\r\n`).join('')}`;

describe('the guess of an encoding', () => {
  it.each(PAIRS)('reads names in $label ($language) as they were written', async ({ label, language }) => {
    const names = writable(language, label);
    expect(names.length).toBeGreaterThan(10);
    const text = fileOf(names);
    const found = await decide(iconv.encode(text, label));
    expect(read(iconv.encode(text, label), found.label)).toBe(text);
  });

  it('is never wrong without a warning where there are enough names', async () => {
    const pair = fc.constantFrom(...PAIRS);
    const names = pair.chain(({ label, language }) =>
      fc.record({
        label: fc.constant(label),
        names: fc.shuffledSubarray(writable(language, label), { minLength: 10 }),
        capitals: fc.boolean(),
        chunk: fc.constantFrom(333, 128 * 1024),
      }),
    );
    await fc.assert(
      fc.asyncProperty(names, async ({ label, names: some, capitals, chunk }) => {
        const text = fileOf(
          capitals && !['windows-1253', 'iso-8859-7'].includes(label)
            ? some.map((name) => name.toUpperCase())
            : some,
        );
        const bytes = iconv.encode(text, label);
        fc.pre(read(bytes, canonical(label)) === text);
        const { isUncertain, label: found } = await decide(bytes, chunk);
        if (!isUncertain) expect(read(bytes, found)).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['Jiří', 'windows-1250'],
    ['Müller', 'macintosh'],
    ['Škoda Plzeň', 'iso-8859-2'],
    ['Ольга', 'windows-1251'],
    ['João Conceição', 'windows-1252'],
  ])('reads %s alone in %s', async (name, label) => {
    const text = `Name\n${name}\n`;
    const found = await decide(iconv.encode(text, label));
    expect(read(iconv.encode(text, label), found.label)).toBe(text);
  });

  it('names the second best where a letter may be either', async () => {
    const found = await decide(iconv.encode('Name\nŘehoř\n', 'windows-1250'));
    expect(found).toMatchObject({ source: 'statistics', isUncertain: true, secondBest: expect.any(String) });
  });

  it('is uncertain of a file in two encodings', async () => {
    const rows = (language: Language, label: string) =>
      iconv.encode(fileOf(writable(language, label)), label);
    const both = Buffer.concat([rows('cs', 'windows-1250'), rows('fr', 'macintosh')]);
    await expect(decide(both)).resolves.toMatchObject({ isUncertain: true });
  });

  it('is uncertain of bytes that are no words of a language', async () => {
    const noise = Buffer.from(
      Array.from({ length: 600 }, (_, at) => (at % 7 === 0 ? 44 : 128 + ((at * 89) % 127))),
    );
    await expect(decide(noise)).resolves.toMatchObject({ isUncertain: true });
  });
});
