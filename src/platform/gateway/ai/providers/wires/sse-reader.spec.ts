import fc from 'fast-check';
import { MAX_EVENT_CHARACTERS, SseEventIsTooLong, type SseItem, SseReader } from './sse-reader.js';

const read = (...chunks: (string | Uint8Array)[]): SseItem[] => {
  const reader = new SseReader();
  return chunks.flatMap((chunk) => [...reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)]);
};
const event = (data: string, name: string | null = null): SseItem => ({ kind: 'event', event: name, data });

/** The bytes cut at any positions, also within a code point. */
const cut = (bytes: Uint8Array, positions: readonly number[]): Uint8Array[] => {
  const at = [...new Set(positions.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
};

describe('reading server-sent events', () => {
  it.each(['\n', '\r', '\r\n'])('ends lines with %j', (end) => {
    const stream = [`event: a`, `data: 1`, ``, `: a comment`, `data: 2`, `data:3`, ``, ``].join(end);
    expect(read(stream)).toEqual([event('1', 'a'), event('2\n3')]);
    expect(read(...[...stream])).toEqual([event('1', 'a'), event('2\n3')]);
  });

  it('reads the same however the bytes are cut', () => {
    const data = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '€', '😀', '{', ':', '"') });
    const end = fc.constantFrom('\n', '\r', '\r\n');
    fc.assert(
      fc.property(
        fc.array(data),
        end,
        fc.array(fc.nat()),
        fc.boolean(),
        (events, eol, positions, hasMark) => {
          const text = events.map((one) => `: x${eol}event: e${eol}data: ${one}${eol}${eol}`).join('');
          const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + text);
          expect(read(...cut(bytes, positions))).toEqual(events.map((one) => event(one, 'e')));
        },
      ),
    );
  });

  it('reports no event that was cut', () => {
    expect(read('data: 1\n\ndata: 2\n')).toEqual([event('1')]);
    expect(read('data: 1\n\n', Buffer.from('data: 😀').subarray(0, 8))).toEqual([event('1')]);
  });

  it('reads a code point that is split over chunks', () => {
    const bytes = Buffer.from('data: 😀\n\n');
    expect(read(bytes.subarray(0, 8), bytes.subarray(8))).toEqual([event('😀')]);
  });

  const error = { error: { code: 503, message: 'overloaded {', status: 'UNAVAILABLE' } };

  it.each([
    ['alone', '', JSON.stringify(error)],
    ['over several lines', '', JSON.stringify(error, null, 2)],
    ['after events', 'data: 1\n\n', JSON.stringify(error, null, 2)],
    ['after events with CRLF', 'data: 1\r\n\r\n', JSON.stringify(error).concat('\r\n')],
  ])('finds JSON without an event: %s', (_, before, json) => {
    const found = [...(before === '' ? [] : [event('1')]), { kind: 'bare', body: error }];
    expect(read(before + json)).toEqual(found);
    expect(read(...[...before, ...json])).toEqual(found);
    expect(read(`${before}${json}\ndata: 2\n\n`)).toEqual(found);
  });

  it('finds a list without an event, but no JSON within an event', () => {
    expect(read('[{"error":{"code":500}}]\n')).toEqual([{ kind: 'bare', body: [{ error: { code: 500 } }] }]);
    expect(read('data: {"a":1}\ndata: {"b":2}\n\n')).toEqual([event('{"a":1}\n{"b":2}')]);
    expect(read('da', 'ta: ', '{"a":1}\n\n')).toEqual([event('{"a":1}')]);
  });

  it.each([
    ['one line', () => 'data: '.padEnd(65_536, 'x')],
    ['many lines', () => 'data: '.padEnd(65_535, 'x').concat('\n')],
    ['JSON without an event', () => '{"a":"'.padEnd(65_536, 'x')],
  ])('holds no endless event: %s', (_, next) => {
    const reader = new SseReader();
    const chunk = Buffer.from(next());
    const pushes = () => {
      for (let bytes = 0; bytes <= 2 * MAX_EVENT_CHARACTERS; bytes += chunk.length) reader.push(chunk);
    };
    expect(pushes).toThrow(SseEventIsTooLong);
    expect(() => reader.push(Buffer.from('data: 1\n\n'))).toThrow(SseEventIsTooLong);
  });

  it('holds nothing of comments and unknown fields, however long they are', () => {
    const reader = new SseReader();
    reader.push(Buffer.from(': '));
    for (let chunk = 0; chunk < 64; chunk += 1) reader.push(Buffer.alloc(65_536, 'x'));
    expect(reader.push(Buffer.from('\ndata: 1\n\n'))).toEqual([event('1')]);
  });

  it('gives what begins like JSON and is none, when an event follows', () => {
    expect(read('{oops\ndata: 1\n\n')).toEqual([{ kind: 'bare', body: undefined }]);
  });

  it('tries JSON that never ends a bounded number of times', () => {
    const reader = new SseReader();
    reader.push(Buffer.from('{"a":"'));
    const pushes = () => {
      for (let one = 0; one < 10_000; one += 1) reader.push(Buffer.from('}'));
    };
    expect(pushes).toThrow(SseEventIsTooLong);
  });

  it('throws nothing else for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat()), (bytes, positions) => {
        expect(read(...cut(bytes, positions)).length).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
