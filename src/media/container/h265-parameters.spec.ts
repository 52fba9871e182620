import { h265PixelAspectRatio } from './h265-parameters.js';

/** A decoder configuration record with a video parameter set and this sequence parameter set. */
function recordOf(set: Buffer): Buffer {
  const array = (type: number, unit: Buffer) =>
    Buffer.concat([Buffer.from([0x80 | type, 0, 1, 0, unit.length]), unit]);
  const head = Buffer.alloc(23);
  head[22] = 2;
  return Buffer.concat([head, array(32, Buffer.from('40010c01', 'hex')), array(33, set)]);
}

/** ue(v) as text of bits. */
const numbers = (...values: readonly number[]): string =>
  values
    .map((value) => (value + 1).toString(2))
    .map((bits) => '0'.repeat(bits.length - 1) + bits)
    .join('');

/** A set with all that can stand before the ratio, 16 : 11. */
function fullSet(): Buffer {
  const profile = `00000001011${'0'.repeat(29)}1001${'0'.repeat(44)}`;
  const level = '00011110';
  // Two more layers: one states its profile, the other its level.
  const layers = `00000100${profile}${level}1001${'0'.repeat(12)}${profile}${level}`;
  const size = `${numbers(0, 3)}0${numbers(160, 120)}1${numbers(0, 1, 2, 3)}`;
  const order = `${numbers(2, 2, 4)}1${numbers(2, 0, 0, 3, 1, 0, 4, 2, 5)}${numbers(0, 3, 0, 3, 1, 1)}`;
  const copied = `0${numbers(0)}`;
  const lists = [16, 64, 65, 65].map(
    (count, at) => `1${numbers(...Array<number>(count).fill(0))}${copied.repeat(at === 3 ? 1 : 5)}`,
  );
  const samples = `1${'0111'.repeat(2)}${numbers(0, 2)}1`;
  // Three pictures; three of these and one more; four of these and one more.
  const own = `${numbers(2, 1)}${`${numbers(0)}1`.repeat(3)}`;
  const pictures = `${numbers(3)}${own}11${numbers(0)}1${'01'}${'00'}1${'10'}${numbers(1)}1111`;
  const longTerm = `1${numbers(2)}${'010101011'.repeat(2)}`;
  const rest = `${'0'.repeat(9)}01`;
  const bits = `${layers}${size}${order}11${lists.join('')}11${samples}${pictures}${longTerm}111100000100${rest}`;
  const bytes = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [];
  const unit: number[] = [0x42, 1];
  for (const byte of bytes.map((each) => parseInt(each, 2))) {
    if (byte <= 3 && unit.at(-1) === 0 && unit.at(-2) === 0) unit.push(3);
    unit.push(byte);
  }
  return Buffer.from(unit);
}

describe('the ratio of pixels in H.265', () => {
  it.each([
    [
      'of the table',
      '42010101600000030090000003000003001ea014207965959a4932bc11a02000000300200000030321',
      16 / 11,
    ],
    [
      'as two numbers, with layers and scaling lists',
      '42010201600000030090000003000003001e0000a0142079659d8a3b15249cafff000500076808000003000800000300c840',
      5 / 7,
    ],
    [
      'of pictures of 4:4:4',
      '4201010408000003009e0800000300003c9002840f2cb2b34926578234040000030004000003006580525978003d090007a122',
      16 / 11,
    ],
  ])('is read %s, as an encoder wrote it', (_, set, expected) => {
    expect(h265PixelAspectRatio(recordOf(Buffer.from(set, 'hex')))).toBe(expected);
  });

  it('is read after all that a set can have', () => {
    expect(h265PixelAspectRatio(recordOf(fullSet()))).toBe(16 / 11);
  });

  it('is not stated where the parameters are cut or forged', () => {
    const whole = recordOf(fullSet());
    for (let end = 0; end < whole.length - 4; end += 1) {
      expect(h265PixelAspectRatio(whole.subarray(0, end))).toBeNull();
      for (const byte of [0, 0xff]) {
        const forged = Buffer.concat([whole.subarray(0, end), Buffer.alloc(whole.length - end, byte)]);
        expect(() => h265PixelAspectRatio(forged)).not.toThrow();
      }
    }
  });
});
