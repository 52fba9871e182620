import fc from 'fast-check';
import { markIn, xmpPacket } from './xmp-packet.js';

const TERMS = 'http://cv.iptc.org/newscodes/digitalsourcetype';
const GENERATED = `${TERMS}/trainedAlgorithmicMedia`;
const COMPOSITE = `${TERMS}/compositeWithTrainedAlgorithmicMedia`;

const read = (packet: string) => markIn(Buffer.from(packet));

describe('the mark in XMP', () => {
  it.each(['generated', 'composite'] as const)('is read as it was written: %s', (mark) => {
    expect(markIn(xmpPacket(mark))).toBe(mark);
  });

  it.each([
    ['an attribute', `<d:D a:DigitalSourceType="${GENERATED}" b="c"/>`, 'generated'],
    ['an attribute in other quotes', `<d:D a:DigitalSourceType = '${COMPOSITE}'/>`, 'composite'],
    [
      'an element on lines of its own',
      `<a:DigitalSourceType>\n  ${GENERATED}\n</a:DigitalSourceType>`,
      'generated',
    ],
    ['a resource', `<a:DigitalSourceType rdf:resource="${GENERATED}"/>`, 'generated'],
    ['an element with an attribute', `<a:DigitalSourceType xml:lang="x">${COMPOSITE}<`, 'composite'],
    ['https', `<a:DigitalSourceType>${GENERATED.replace('http', 'https')}<`, 'generated'],
    ['the term alone', '<a:DigitalSourceType>trainedAlgorithmicMedia<', 'generated'],
    ['character references', `<a:DigitalSourceType>${TERMS}/&#x74;raine&#100;AlgorithmicMedia<`, 'generated'],
  ])('is read from %s', (_, packet, mark) => {
    expect(read(packet)).toBe(mark);
  });

  it.each([
    ['no property', '<x:xmpmeta/>'],
    ['another source', `<a:DigitalSourceType>${TERMS}/digitalCapture<`],
    ['a term that only begins so', `<a:DigitalSourceType>${GENERATED}Not<`],
    ['the term elsewhere', `<dc:title>${GENERATED}</dc:title>`],
    [
      'an entity, which is not expanded',
      `<!DOCTYPE x [<!ENTITY a "${GENERATED}">]><a:DigitalSourceType>&a;<`,
    ],
    ['a reference to no character', '<a:DigitalSourceType>&#x7fffff;&#9999999;trainedAlgorithmicMedia<'],
    ['nothing that is text', '\0\ufffd\u{10ffff}'],
  ])('is none in a packet with %s', (_, packet) => {
    expect(read(packet)).toBe('none');
  });

  it('is the strongest of several claims', () => {
    const claims = [`${TERMS}/digitalCapture`, COMPOSITE, GENERATED].map(
      (claim) => `<a:DigitalSourceType>${claim}<`,
    );
    expect(read(claims.join(''))).toBe('generated');
    expect(read(claims.toReversed().join(''))).toBe('generated');
    expect(read(claims.slice(0, 2).join(''))).toBe('composite');
  });

  it('is none without a packet, and not known of one that is too large', () => {
    expect(markIn(undefined)).toBe('none');
    expect(read(`${' '.repeat(1024 * 1024)}<a:DigitalSourceType>${GENERATED}<`)).toBeNull();
  });

  it('is found in a broken packet as far as it can be read', () => {
    const packet = xmpPacket('generated');
    expect(markIn(packet.subarray(0, packet.indexOf('</Iptc4xmpExt') + 1))).toBe('generated');
    expect(markIn(packet.subarray(0, packet.indexOf('</Iptc4xmpExt') - 4))).toBe('none');
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => markIn(bytes) === 'none'));
  });
});
