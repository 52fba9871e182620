import { fitsSchema } from './response-schema.js';

type Schema = Readonly<Record<string, unknown>>;

const title = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const linked = {
  $defs: {
    node: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } } },
  },
  $ref: '#/$defs/node',
};
describe('whether a text fits the schema of a response', () => {
  it.each<[string, Schema, string, boolean]>([
    ['JSON that fits', title, ' {"title":"A"}\n', true],
    ['prose', title, 'The title is A.', false],
    ['JSON within prose', title, '```json\n{"title":"A"}\n```', false],
    ['nothing', title, '', false],
    ['another type', title, '{"title":1}', false],
    ['a missing member', title, '{}', false],
    ['a member that is not allowed', { ...title, additionalProperties: false }, '{"title":"A","b":1}', false],
    ['a value of the list', { enum: ['a', 'b'] }, '"c"', false],
    ['a recursive schema', linked, '{"next":{"next":null}}', true],
    ['a recursive schema, wrongly', linked, '{"next":{"next":1}}', false],
    ['a nullable type', { type: ['string', 'null'] }, 'null', true],
    [
      'names of keywords as members',
      { properties: { pattern: { type: 'number' } } },
      '{"pattern":"x"}',
      false,
    ],
    [
      'the draft that it names',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...title },
      '{}',
      false,
    ],
    ['a check that would wait', { $async: true, type: 'number' }, '{}', false],
    ['its own id', { $id: 'https://example.com/title', ...title }, '{"title":"A"}', true],
  ])('%s', (_, schema, text, expected) => expect(fitsSchema({ schema, text })).toBe(expected));

  it.each<[string, Schema]>([
    ['patterns', { type: 'string', pattern: '^(a+)+$' }],
    ['formats', { type: 'string', format: 'date' }],
    ['the names of members', { patternProperties: { '^(a+)+$': false } }],
  ])('says nothing about %s', (_, schema) => {
    const text = JSON.stringify(`${'a'.repeat(40)}!`);
    expect(fitsSchema({ schema, text })).toBe(true);
  });

  it.each<[string, Schema]>([
    ['of a type that does not exist', { type: 'text' }],
    ['with a reference to another document', { $ref: 'https://example.com/schema' }],
    ['with a reference to nothing', { $ref: '#/$defs/none' }],
    ['with a part whose check waits', { properties: { a: { $async: true, type: 'string' } } }],
    [
      'with a reference to a check that waits',
      { $defs: { a: { $async: true, type: 'string' } }, $ref: '#/$defs/a' },
    ],
    ['in capital letters, as Google writes types', { type: 'OBJECT', properties: {} }],
  ])('asks of a text for a schema %s only that it is JSON', (_, schema) => {
    const fits = (text: string) => fitsSchema({ schema, text });
    expect([fits('{"a":1}'), fits('Prose.')]).toEqual([true, false]);
  });
});
