import { csvText } from '#libs/text';
import { isLonger, normalized, tidyList, streamSafe, tidyText, VISIBLE } from '#libs/http';
import { readByteRange } from '#libs/object-storage';
import { parseQuery } from '../libs/http/src/boundary/clean-json.js';
import { isBase64 } from '../libs/http/src/validation/text-fields.js';
import { parseInstant } from '../libs/http/src/validation/is-instant.js';
import { objectsIn } from '../src/ai/trends/domain/model-answer.js';
import { pastInstant } from '../src/ai/trends/domain/past-instant.js';
import { oneLine, topicOf } from '../src/ai/trends/domain/text.js';
import { webAddress } from '../src/ai/trends/domain/web-address.js';
import { plainText } from '../src/ai/trends/sources/feeds/parsing/plain-text.js';
import { columnNames, fieldOfHeader } from '../src/contacts/csv/columns/known-headers.js';
import { type ImportField, PLAIN_FIELDS } from '../src/contacts/csv/columns/import-fields.js';
import { GUARD } from '../src/contacts/csv/domain/cells/raw-cell.js';
import { cellsOfMalformedRow, parseRows } from '../src/contacts/csv/reading/parse-rows.js';
import { RecordSplitter } from '../src/contacts/csv/domain/records/record-splitter.js';
import { findTable } from '../src/contacts/csv/reading/find-table.js';
import { contactOfRow } from '../src/contacts/csv/rows/contact-of-row.js';
import { isWebsite } from '../src/contacts/domain/contact-details.js';
import { emailKey, isEmailKey } from '#libs/email-address';
import { otherSpelling, phoneDigits, searchWords } from '../src/contacts/domain/search-terms.js';
import * as facebook from '../src/integrations/providers/facebook/facebook-rules.js';
import * as instagram from '../src/integrations/providers/instagram/instagram-rules.js';
import { littleText } from '../src/integrations/providers/linkedin/linkedin-text.js';
import * as threads from '../src/integrations/providers/threads/threads-rules.js';
import { weightedLength } from '../src/integrations/providers/x/x-rules.js';
import { mailAddress, mailDomain, isHeaderText } from '../src/platform/gateway/email/shared/addresses.js';
import { parseModelRef } from '../src/platform/gateway/ai/models/domain/model-ref.js';
import { parseSignature } from '../src/platform/gateway/payments/webhooks/webhooks.controller.js';

const LENGTH = 100_000;
/**
 * Processor time of one text, which does not depend on how busy the machine is. A parser of linear time needs a few
 * milliseconds; one of quadratic time needs minutes.
 */
const MAX_CPU_SECONDS = 5;

const SIGNS = [
  '/',
  '@',
  '.',
  ',',
  ';',
  '"',
  '<',
  '(',
  ' ',
  '1',
  'a',
  '\u0301',
  '=?utf-8?q?',
  '-',
  '\n',
  '\t',
  '|',
  '&',
  '[',
  '\0',
];
const PAIRS = [
  'a@',
  'a.',
  'a-',
  'a,',
  '""',
  '",',
  '/ ',
  '<a>',
  '[{',
  '["',
  '{"a":',
  '<!--',
  '<script>',
  '\u0301\u0323',
  'ﷺ',
  '@a.b/',
  ' and ',
];
/** The start of a text decides which expression runs over the rest. */
const STARTS = ['', 'http://x.com/', '"'];
const TEXTS = [...SIGNS, ...PAIRS].flatMap((unit) =>
  STARTS.map((start) => [start, unit, (start + unit.repeat(LENGTH / unit.length)).slice(0, LENGTH)] as const),
);

const FIELDS: readonly ImportField[] = [
  ...PLAIN_FIELDS,
  'customFields.plan',
  'customFieldsJson.plan',
  'addresses.1.street',
];
/** Bodies with more combining marks in a row are refused before their text is parsed. */
const content = (text: string) => ({ text, link: null, title: null, media: [], options: {} });

const PARSERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ...FIELDS.map(
    (field) =>
      [
        `a cell of ${field}`,
        (text: string) =>
          contactOfRow([text], {
            mapping: [{ index: 0, column: 'A', field, how: 'given' }],
            columns: 1,
            raw: false,
            hasBrokenBytes: true,
          }),
      ] as const,
  ),
  ['a header', (text) => fieldOfHeader(text)],
  ['a name of a column', (text) => columnNames([text], 1)],
  ['records', (text) => new RecordSplitter(',').push(text)],
  ['a row', (text) => parseRows([{ line: 1, text }], ',')],
  ['a table', (text) => findTable({ text, isWhole: true }, {})],
  ['a malformed row', (text) => cellsOfMalformedRow(text, ',')],
  ['an exported cell', (text) => csvText([[text]], { delimiter: ';', guard: GUARD })],
  ['an email address', (text) => isEmailKey(emailKey(streamSafe(text)))],
  ['a website', isWebsite],
  ['a search', (text) => searchWords(text).map(otherSpelling)],
  ['a phone number', phoneDigits],
  ['a trimmed text', tidyText],
  ['a list of texts', (text) => tidyList([text, text])],
  ['a visible text', (text) => VISIBLE.test(text)],
  ['a limited text', (text) => isLonger(text, 200)],
  ['a normalised text', (text) => normalized(text, 'NFKD')],
  ['an instant', parseInstant],
  ['base64', isBase64],
  ['a query', parseQuery],
  ['a byte range', (text) => readByteRange(text, 10)],
  ['markup of a feed', (text) => plainText(text, 200)],
  ['one line', (text) => oneLine(text, 200)],
  ['a date of a feed', (text) => pastInstant(text, '2026-01-01T00:00:00.000Z')],
  ['a web address', (text) => webAddress(text, 'https://example.com/')],
  ['a topic', topicOf],
  ['an answer of a model', (text) => objectsIn(text, () => false)],
  ['a mail address', mailAddress],
  ['a mail domain', mailDomain],
  ['a mail header', isHeaderText],
  ['a name of a model', parseModelRef],
  ['a signature', parseSignature],
  ['a text on Facebook', (text) => facebook.captionOf(content(streamSafe(text)))],
  ['a text on Instagram', (text) => [instagram.hashtagsIn(text), instagram.mentionsIn(text)]],
  ['a text on X', (text) => weightedLength(text.slice(0, 32_000))],
  ['a text on LinkedIn', (text) => littleText(text.slice(0, 3_000))],
  ['a text on Threads', (text) => [threads.lengthOf(text), threads.linksIn({ text, link: null })]],
];

/** A refusal is an answer, too. */
const settled = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .catch(() => undefined);

describe('a parser of text that users send', () => {
  it.each(PARSERS)('bounds its work: %s', async (_, parse) => {
    for (const [start, unit, text] of TEXTS) {
      const before = process.cpuUsage();
      await settled(() => parse(text));
      const { user } = process.cpuUsage(before);
      expect({ start, unit, isSlow: user > MAX_CPU_SECONDS * 1_000_000 }).toEqual({
        start,
        unit,
        isSlow: false,
      });
    }
  });
});
