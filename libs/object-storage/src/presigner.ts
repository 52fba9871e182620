import { GetObjectCommand, PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { toBase64 } from './sha256.js';

/**
 * `Content-Disposition` for saving under this name (RFC 6266): ASCII for old clients, RFC 5987 for all others. Never
 * `inline`: uploaded files must not run under the origin that serves them.
 *
 * @param name well-formed Unicode
 */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, escaped);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** RFC 5987 allows fewer unescaped characters than URLs do. */
const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** A request that its holder may send to the store without credentials. */
export interface PresignedRequest {
  /** A credential until it expires: never log it. */
  readonly url: string;
  /**
   * Headers that the request must have, exactly. The body must also have the signed length; HTTP clients set Content-Length
   * themselves, and browsers let no script set it.
   */
  readonly headers: Readonly<Record<string, string>>;
}

/** A body that the store accepts: no other length, type or content. */
export interface SignedBody {
  /** Bytes. */
  readonly length: number;
  /** In hex. */
  readonly sha256: string;
  /** 1 to 604 800; less when the credentials of the machine end earlier. */
  readonly expiresSeconds: number;
}

export interface PutToSign extends SignedBody {
  readonly key: string;
  readonly contentType: string;
}

export interface PartToSign extends SignedBody {
  readonly key: string;
  readonly uploadId: string;
  /** 1 to 10 000. */
  readonly partNumber: number;
}

export interface GetToSign {
  readonly expiresSeconds: number;
  /** Only this version; the request then needs an If-Match header, so that it is no link. */
  readonly etag?: string;
  /** The browser saves the object under this name instead of showing it. */
  readonly downloadName?: string;
  /** Overrides the stored type. */
  readonly contentType?: string;
}

/** By default the signature does not cover the type, and the checksum moves into the query: clients could omit both. */
const SIGNED = ['host', 'content-length', 'if-match', 'if-none-match', 'x-amz-checksum-sha256'];
/** The store ignores the type of a part, and browsers add one of their own. */
const SIGNED_OF_OBJECT = [...SIGNED, 'content-type'];

const NO_HEADERS = {};

/** Signs requests to one bucket. Nothing is sent to the store, but temporary credentials may be fetched. */
export class Presigner {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  async put({ key, contentType, length, sha256, expiresSeconds }: PutToSign): Promise<PresignedRequest> {
    const checksum = toBase64(sha256);
    const body = { ContentLength: length, ContentType: contentType, ChecksumSHA256: checksum };
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, ...body, IfNoneMatch: '*' });
    const headers = {
      'content-type': contentType,
      'if-none-match': '*',
      'x-amz-checksum-sha256': checksum,
    };
    const signing = signingOf(expiresSeconds, SIGNED_OF_OBJECT);
    return { url: await getSignedUrl(this.client, command, signing), headers };
  }

  async part(given: PartToSign): Promise<PresignedRequest> {
    const { key, uploadId, partNumber, length, sha256, expiresSeconds } = given;
    const checksum = toBase64(sha256);
    const part = { UploadId: uploadId, PartNumber: partNumber, ContentLength: length };
    const command = new UploadPartCommand({
      Bucket: this.bucket,
      Key: key,
      ...part,
      ChecksumSHA256: checksum,
    });
    const url = await getSignedUrl(this.client, command, signingOf(expiresSeconds));
    return { url, headers: { 'x-amz-checksum-sha256': checksum } };
  }

  async get(key: string, get: GetToSign): Promise<PresignedRequest> {
    const { expiresSeconds, etag, downloadName, contentType } = get;
    const command = new GetObjectCommand({
      Bucket: this.bucket,
      Key: key,
      IfMatch: etag,
      ResponseContentType: contentType,
      ResponseContentDisposition: downloadName === undefined ? undefined : contentDisposition(downloadName),
    });
    const url = await getSignedUrl(this.client, command, signingOf(expiresSeconds));
    return { url, headers: etag === undefined ? NO_HEADERS : { 'if-match': etag } };
  }
}

const signingOf = (expiresIn: number, signed = SIGNED) => ({
  expiresIn,
  signableHeaders: new Set(signed),
  unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
});
