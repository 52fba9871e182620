import { expectBody, receiveBody, type ReceivedContent } from '../body/receive-body.js';
import type { NewObjectFile } from '../store/object-file.js';
import { checksumHeaders } from './checksum-headers.js';
import { writeGuard } from './conditions.js';
import { objectHeaders, quoted } from './object-headers.js';
import { answer, type Handler, type Operation } from './operation.js';

export const putObject: Handler = async (operation) => {
  const { request, bucket, clock } = operation;
  const headers = objectHeaders(request);
  const guard = writeGuard(request);
  await withReceivedFile(
    operation,
    () => bucket.objects.check(request.key, guard),
    async (file, { md5, checksum }) => {
      const modifiedAt = clock.now().toISOString();
      const type = checksum ? { checksumType: 'FULL_OBJECT' as const } : {};
      const facts = { key: request.key, etag: md5, modifiedAt, headers, checksum, ...type };
      await bucket.objects.store(file, facts, guard);
      answer(operation, 200, { ETag: quoted(md5), ...checksumHeaders(facts) });
    },
  );
};

/**
 * * Reads the body into a file and passes it to `use` when it is complete and verified. Deletes the file otherwise.
 * @param check refuses the request before the body is read
 */
export async function withReceivedFile(
  { request, payload, bucket }: Operation,
  check: () => Promise<unknown>,
  use: (file: NewObjectFile, content: ReceivedContent) => Promise<void>,
): Promise<void> {
  const expected = expectBody(request, payload);
  await check();
  const file = await bucket.objects.create();
  try {
    await use(file, await receiveBody(request, payload, expected, (piece) => file.write(piece)));
  } finally {
    await file.discard();
  }
}
