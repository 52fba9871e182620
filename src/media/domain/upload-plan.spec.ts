import { ChecksumIsMissing, MediaTypeIsNotSupported, PartDoesNotExist } from './media.errors.js';
import { MAX_SINGLE_BYTES, PART_BYTES, partCountOf, partLength, planUpload } from './upload-plan.js';

const sha256 = '0'.repeat(64);

describe('the plan of an upload', () => {
  it('is one request up to 64 MiB, and parts above', () => {
    const video = { contentType: 'video/mp4', sha256 };
    expect(planUpload({ ...video, bytes: MAX_SINGLE_BYTES }).partBytes).toBeNull();
    expect(planUpload({ ...video, bytes: MAX_SINGLE_BYTES + 1 }).partBytes).toBe(PART_BYTES);
  });

  it('has the declared kind and the type in lower case', () => {
    expect(planUpload({ contentType: 'IMAGE/PNG', bytes: 1, sha256 })).toMatchObject({
      kind: 'image',
      contentType: 'image/png',
    });
    expect(planUpload({ contentType: 'video/webm', bytes: 1, sha256 }).kind).toBe('video');
  });

  it.each([
    ['image/jpg', 'image/jpeg'],
    ['image/pjpeg', 'image/jpeg'],
    ['image/x-png', 'image/png'],
    ['Video/X-M4V', 'video/mp4'],
    ['video/matroska', 'video/x-matroska'],
  ])('takes the type %s as %s', (contentType, canonical) => {
    expect(planUpload({ contentType, bytes: 1, sha256 }).contentType).toBe(canonical);
  });

  it.each(['image/svg+xml', 'text/html', 'image/jpeg; charset=x', 'application/octet-stream', ''])(
    'does not exist for the type %j',
    (contentType) => {
      expect(() => planUpload({ contentType, bytes: 1, sha256 })).toThrow(MediaTypeIsNotSupported);
    },
  );

  it('needs the checksum of a file that is uploaded by one request', () => {
    expect(() => planUpload({ contentType: 'image/png', bytes: 1 })).toThrow(ChecksumIsMissing);
    expect(planUpload({ contentType: 'video/mp4', bytes: MAX_SINGLE_BYTES + 1 }).partBytes).toBe(PART_BYTES);
  });
});

describe('the parts of an upload', () => {
  it.each([
    [PART_BYTES * 7, 7, PART_BYTES],
    [PART_BYTES * 6 + 1, 7, 1],
    [4_096 * 1_048_576, 256, PART_BYTES],
  ])('of %d bytes are %d, the last one of %d bytes', (bytes, count, last) => {
    const upload = { bytes, partBytes: PART_BYTES };
    expect(partCountOf(upload)).toBe(count);
    expect(partLength(upload, 1)).toBe(PART_BYTES);
    expect(partLength(upload, count)).toBe(last);
    const lengths = Array.from({ length: count }, (_, index) => partLength(upload, index + 1));
    expect(lengths.reduce((sum, one) => sum + one)).toBe(bytes);
    expect(() => partLength(upload, count + 1)).toThrow(PartDoesNotExist);
    expect(() => partLength(upload, 0)).toThrow(PartDoesNotExist);
  });

  it('are none of a single request', () => {
    expect(partCountOf({ bytes: 10, partBytes: null })).toBe(0);
    expect(() => partLength({ bytes: 10, partBytes: null }, 1)).toThrow(PartDoesNotExist);
  });
});
