import { S3Error } from '../wire/s3-error.js';
import type { S3Request } from '../wire/s3-request.js';
import type { Payload } from '../signature/authenticate.js';
import { parseXml, type XmlElement } from '../wire/xml.js';
import { checksumAlgorithmOf } from './checksums.js';
import { expectBody, receiveBody } from './receive-body.js';

/** A list of 10 000 parts with checksums has about 3 MB. */
const MAX_BYTES = 4 * 1_024 ** 2;

/**
 * The XML document of a request.
 * * @throws S3Error MalformedXML, MaxMessageLengthExceeded and the refusals of the body
 */
export async function receiveXml(request: S3Request, payload: Payload): Promise<XmlElement> {
  const expected = { ...expectBody(withoutChecksums(request), payload), checksum: null };
  if (expected.size > MAX_BYTES) throw new S3Error('MaxMessageLengthExceeded');
  const pieces: Buffer[] = [];
  await receiveBody(request, payload, expected, (piece) => void pieces.push(piece));
  return parseXml(Buffer.concat(pieces).toString('utf8'));
}

/** The checksums of a completed upload are those of the object, not of the document. */
function withoutChecksums(request: S3Request): S3Request {
  const headers = new Map([...request.headers].filter(([name]) => checksumAlgorithmOf(name) === undefined));
  return { ...request, headers };
}
