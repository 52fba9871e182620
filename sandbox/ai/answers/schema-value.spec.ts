import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { valueOf } from './schema-value.js';

const ajv = new Ajv({ strict: false });
(addFormats as unknown as (validator: Ajv) => void)(ajv);

describe('valueOf', () => {
  it.each<[string, object]>([
    [
      'an object with all kinds of members',
      {
        type: 'object',
        additionalProperties: false,
        required: ['title', 'tags', 'score', 'at', 'kind', 'owner', 'isDraft'],
        properties: {
          title: { type: 'string', minLength: 90, maxLength: 100 },
          tags: { type: 'array', items: { type: 'string', maxLength: 4 }, minItems: 3 },
          score: { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.25 },
          at: { type: 'string', format: 'date-time' },
          kind: { enum: ['post', 'story'] },
          owner: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/person' }] },
          isDraft: { const: false },
        },
        $defs: {
          person: {
            type: 'object',
            required: ['email'],
            properties: { email: { type: 'string', format: 'email' } },
          },
        },
      },
    ],
    [
      'a recursive schema',
      {
        $ref: '#/$defs/node',
        $defs: {
          node: {
            type: 'object',
            required: ['name', 'next'],
            properties: {
              name: { type: 'string' },
              next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            },
          },
        },
      },
    ],
    [
      'merged schemas',
      {
        allOf: [
          { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 5 } } },
          { type: 'object', required: ['b'], properties: { b: { type: ['null', 'string'] } } },
        ],
      },
    ],
    ['an empty list', { type: 'array', maxItems: 0, items: { type: 'string' } }],
  ])('fits %s', (_, schema) => {
    const validate = ajv.compile(schema);
    validate(valueOf(schema as Record<string, unknown>, 'a story about Zürich'));
    expect(validate.errors).toBeNull();
  });

  it('chooses the value of a list that the text contains', () => {
    expect(valueOf({ enum: ['post', 'story'] }, 'a story about Zürich')).toBe('story');
  });
});
