import { checksumAlgorithmOf } from '../body/checksums.js';
import { receiveXml } from '../body/receive-body.js';
import type { ObjectFacts } from '../store/object-file.js';
import type { StoredPart, Upload } from '../store/upload-store.js';
import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import { element, root, XML_DECLARATION } from '../wire/xml.js';
import { writeGuard } from './conditions.js';
import { checksumElements, quoted } from './object-headers.js';
import { answerXml, errorDocument, type Handler, type Operation } from './operation.js';
import { assemble, chooseParts, factsOfUpload, readPartList } from './parts.js';

/** How often blanks are sent while a document is created. */
const BLANK_MS = 1_000;

/**
 * CompleteMultipartUpload. A repeated request gets the same response while the object exists. The upload is removed before the
 * response ends; if that failed, a repeated request removes it.
 */
export const completeUpload: Handler = async (operation) => {
  const { request, sha256, bucket } = operation;
  const listed = readPartList(await receiveXml(request, sha256));
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
    const facts = { ...factsOfUpload(upload, parts, clock.now().toISOString()), checksum };
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
    ...checksumElements(facts.checksum),
    element('ChecksumType', facts.checksum ? 'COMPOSITE' : undefined),
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

/**
 * Sends blanks while a document is created, so that clients do not time out. The status is 200 from then on: a later failure
 * is an error document with status 200, as at AWS.
 */
async function answerSlowly({ request, response }: Operation, make: () => Promise<string>): Promise<void> {
  let isBegun = false;
  const begin = () => {
    isBegun = true;
    response.writeHead(200, { 'Content-Type': 'application/xml' }).write(XML_DECLARATION);
  };
  const blanks = setInterval(() => (isBegun ? response.write(' ') : begin()), BLANK_MS);
  try {
    const document = await make();
    if (!isBegun) begin();
    response.end(document);
  } catch (error) {
    if (!isBegun) throw error;
    response.end(errorDocument(error, request.path, ''));
    throw error;
  } finally {
    clearInterval(blanks);
  }
}
