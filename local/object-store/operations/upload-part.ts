import type { Checksum } from '../body/checksums.js';
import { S3Error } from '../wire/s3-error.js';
import type { Upload } from '../store/upload-store.js';
import { checksumHeaders } from './checksum-headers.js';
import { quoted } from './object-headers.js';
import { answer, type Handler } from './operation.js';
import { withReceivedFile } from './put-object.js';

export const MAX_PARTS = 10_000;

export const uploadPart: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const number = Number(request.query.get('partNumber'));
  const id = request.query.get('uploadId') ?? '';
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw new S3Error('InvalidArgument', `partNumber must be 1 to ${MAX_PARTS}.`);
  const find = () => bucket.uploads.get(request.key, id);
  await withReceivedFile(operation, find, async (file, { md5, checksum }) => {
    assertFits(await find(), checksum);
    const modifiedAt = clock.now().toISOString();
    const facts = { key: request.key, etag: md5, modifiedAt, headers: {}, checksum };
    await bucket.uploads.storePart(id, number, file, facts);
    answer(operation, 200, { ETag: quoted(md5), ...checksumHeaders(facts) });
  });
};

function assertFits({ checksumAlgorithm }: Upload, checksum: Checksum | null): void {
  if (checksumAlgorithm !== null && checksum?.algorithm !== checksumAlgorithm)
    throw new S3Error(
      'InvalidRequest',
      `Every part of this upload needs a checksum of ${checksumAlgorithm}.`,
    );
}
