import { parseBody, parseJson } from './parse-json.js';

describe('JSON of a request', () => {
  it.each([parseJson, parseBody])('is read with a byte order mark before it (RFC 8259, 8.1)', (parse) => {
    expect(parse(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
  });
});
