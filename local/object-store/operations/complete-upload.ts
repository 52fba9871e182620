import { checksumAlgorithmOf } from '../body/checksums.js';
import { receiveXml } from '../body/receive-xml.js';
import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import type { ObjectFacts } from '../store/object-file.js';
import type { StoredPart, Upload } from '../store/upload-store.js';
import { element, root } from '../wire/xml.js';
import { answerSlowly } from './answer-slowly.js';
import { assemble, factsOfUpload } from './assemble.js';
import { checksumElements } from './checksum-headers.js';
import { writeGuard } from './conditions.js';
import { quoted } from './object-headers.js';
import { answerXml, type Handler, type Operation } from './operation.js';
import { chooseParts, readPartList } from './part-list.js';

/**
 * * CompleteMultipartUpload. A repeated request gets the same response while the object exists. The upload is removed before the
 * response ends; if that failed, a repeated request removes it.
 */
export const completeUpload: Handler = async (operation) => {
  const { request, payload, bucket } = operation;
  const listed = readPartList(await receiveXml(request, payload));
  const id = request.query.get('uploadId') ?? '';
  await bucket.uploads.inTurn(id, async () => {
    const made = await bucket.objects.find(request.key);
    if (made?.uploadId === id) {
      await bucket.uploads.remove(id);
      answerXml(operation, result(operation, made));
      return;
    }
    const upload = await bucket.uploads.get(request.key, id);
    const parts = chooseParts(listed, await bucket.uploads.parts(id));
    mustHaveSize(request, parts);
    await bucket.objects.check(request.key, writeGuard(request));
    await answerSlowly(operation, async () => {
      const facts = await complete(operation, upload, parts);
      await bucket.uploads.remove(id);
      return result(operation, facts);
    });
  });
};

async function complete(operation: Operation, upload: Upload, parts: StoredPart[]): Promise<ObjectFacts> {
  const { request, bucket, clock } = operation;
  const file = await bucket.objects.create();
  try {
    const checksum = await assemble(upload, parts, file);
    mustHaveChecksum(request, checksum?.algorithm, checksum?.value);
    const plain = factsOfUpload(upload, parts, clock.now().toISOString());
    const facts = checksum ? { ...plain, checksum, checksumType: upload.checksumType } : plain;
    await bucket.objects.store(file, facts, writeGuard(request));
    return facts;
  } finally {
    await file.discard();
  }
}

const result = ({ bucket, request }: Operation, facts: ObjectFacts): string =>
  root('CompleteMultipartUploadResult', [
    element('Location', `/${bucket.name}/${request.key}`),
    element('Bucket', bucket.name),
    element('Key', request.key),
    element('ETag', quoted(facts.etag)),
    ...checksumElements(facts),
  ]);

function mustHaveSize({ headers }: S3Request, parts: readonly StoredPart[]): void {
  const said = headers.get('x-amz-mp-object-size');
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (said !== undefined && said !== String(size))
    throw new S3Error('InvalidRequest', `The parts have ${size} bytes, x-amz-mp-object-size says ${said}.`);
}

function mustHaveChecksum({ headers }: S3Request, algorithm?: string, value?: string): void {
  for (const [name, said] of headers) {
    const about = checksumAlgorithmOf(name);
    const isOther = about !== algorithm || said.replace(/-\d+$/, '') !== value?.replace(/-\d+$/, '');
    if (about !== undefined && isOther) throw new S3Error('BadDigest');
  }
}
