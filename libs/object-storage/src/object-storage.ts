import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { MultipartUploads } from './multipart-uploads.js';
import { ObjectStorageConfig } from './object-storage.config.js';
import {
  type GetToSign,
  type PartToSign,
  type PresignedRequest,
  Presigner,
  type PutToSign,
} from './presigner.js';
import { createReadingClient, createS3Client, MISSING_IN_HEAD, namingErrors, orNull } from './s3-client.js';
import { sha256OfFile, toBase64, toHex } from './sha256.js';

export interface ObjectToStore {
  /** Readable once, so that a failed put is not retried. */
  readonly body: Readable;
  /** Bytes. S3 accepts no object of unknown length. */
  readonly length: number;
  /** Of the whole body, in hex; the store refuses what does not match. */
  readonly sha256: string;
  readonly contentType: string;
  /** Ends the request. Whether the object is stored is not known then. */
  readonly signal?: AbortSignal;
}

export interface ObjectFacts {
  /** Bytes of the whole object. */
  readonly length: number;
  /** As in the header, with its quotes. */
  readonly etag: string;
  readonly contentType: string;
}

export interface ObjectHead extends ObjectFacts {
  /** In hex; null for an object of a multipart upload or when the store keeps none. */
  readonly sha256: string | null;
  /**
   * Of a multipart upload, otherwise null: `base64-N`, the SHA-256 of the SHA-256 of the N parts. Source: "Checking object
   * integrity" of the S3 user guide.
   */
  readonly compositeSha256: string | null;
}

export interface StoredObject extends ObjectFacts {
  /** Destroy it if it is not read to its end. */
  readonly body: Readable;
  /** Bytes of `body`. */
  readonly bodyLength: number;
}

export interface ObjectToRead {
  /** Bytes start ≤ i < end. `end` may be after the end of the object. */
  readonly range?: { readonly start: number; readonly end: number };
  readonly etag?: string;
}

/**
 * Objects by key in one bucket. Nothing is held in memory: bodies are streams.
 * @throws ObjectStorageIsUnavailable from every method when the store refuses or does not respond.
 */
@Injectable()
export class ObjectStorage implements OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly readingClient: S3Client;
  private readonly publicClient: S3Client;
  private readonly bucket: string;
  readonly multipart: MultipartUploads;
  private readonly presigner: Presigner;
  private readonly publicPresigner: Presigner;

  constructor(config: ObjectStorageConfig) {
    this.bucket = config.bucket;
    this.client = createS3Client(config);
    this.readingClient = createReadingClient(config);
    this.publicClient = createS3Client(config, config.publicEndpoint);
    this.multipart = new MultipartUploads(this.client, this.bucket);
    this.presigner = new Presigner(this.client, this.bucket);
    this.publicPresigner = new Presigner(this.publicClient, this.bucket);
  }

  /** Replaces the object of the key. @returns its ETag, as in the header */
  async put(key: string, { body, length, sha256, contentType, signal }: ObjectToStore): Promise<string> {
    const object = { ContentLength: length, ContentType: contentType, ChecksumSHA256: toBase64(sha256) };
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: body, ...object });
    const { ETag: etag = '' } = await namingErrors(() => this.client.send(command, { abortSignal: signal }));
    return etag;
  }

  /** Stores a file of this machine, which must not change meanwhile. Reads it twice. @throws the system's error when it is unreadable */
  async putFile(
    key: string,
    path: string,
    contentType: string,
  ): Promise<Omit<ObjectHead, 'compositeSha256'>> {
    const [{ size: length }, sha256] = await Promise.all([stat(path), sha256OfFile(path)]);
    const body = createReadStream(path);
    try {
      const etag = await this.put(key, { body, length, sha256, contentType });
      return { length, sha256, etag, contentType };
    } finally {
      body.destroy();
    }
  }

  /**
   * @returns null when there is no such object
   * @throws ObjectHasChanged when it has another ETag; RangeError for a range that is empty or starts after the end
   */
  async get(key: string, { range, etag }: ObjectToRead = {}): Promise<StoredObject | null> {
    if (range && range.start >= range.end) throw new RangeError('The range is empty.');
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: key, IfMatch: etag, Range });
    return orNull(async () => {
      const {
        Body,
        ContentRange,
        ContentLength: bodyLength = 0,
        ...rest
      } = await this.readingClient.send(command);
      const body = Body as Readable;
      const [, start, length = bodyLength] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange ?? '') ?? [];
      if (range && Number(start) !== range.start) {
        body.destroy();
        throw new Error('The store ignored the range.');
      }
      return { body, bodyLength, ...factsOf({ ...rest, ContentLength: Number(length) }) };
    });
  }

  /**
   * @returns null when there is no such object, and for any other 404: HEAD does not tell them apart. Before a removal ask with `get`.
   * @throws ObjectHasChanged when it has another ETag
   */
  head(key: string, { etag }: Pick<ObjectToRead, 'etag'> = {}): Promise<ObjectHead | null> {
    const input = { Bucket: this.bucket, Key: key, IfMatch: etag, ChecksumMode: 'ENABLED' as const };
    return orNull(async () => {
      const { ChecksumSHA256: checksum, ...rest } = await this.client.send(new HeadObjectCommand(input));
      const composite = checksum?.includes('-') ? checksum : null;
      return { ...factsOf(rest), sha256: toHex(checksum), compositeSha256: composite };
    }, MISSING_IN_HEAD);
  }

  /** Does nothing when there is no such object. */
  async delete(key: string): Promise<void> {
    await orNull(() => this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  /** For a client outside: one PUT of exactly this body, while there is no object of the key. */
  presignPut(put: PutToSign): Promise<PresignedRequest> {
    return namingErrors(() => this.publicPresigner.put(put));
  }

  /** For a client outside: one part of exactly this body. */
  presignPart(part: PartToSign): Promise<PresignedRequest> {
    return namingErrors(() => this.publicPresigner.part(part));
  }

  /** For a client outside. HEAD is refused, because the method is signed. */
  presignGet(key: string, get: GetToSign): Promise<PresignedRequest> {
    return namingErrors(() => this.publicPresigner.get(key, get));
  }

  /** For code of this installation without credentials, such as a child process that reads files of users. */
  presignInternalGet(key: string, get: GetToSign): Promise<PresignedRequest> {
    return namingErrors(() => this.presigner.get(key, get));
  }

  /** Checks the connection: a 404 for an object that never exists is success; a missing bucket is an error. */
  async reach(): Promise<void> {
    await this.get('is-anybody-there');
  }

  onApplicationShutdown(): void {
    this.client.destroy();
    this.readingClient.destroy();
    this.publicClient.destroy();
  }
}

interface Described {
  readonly ContentLength?: number;
  readonly ETag?: string;
  readonly ContentType?: string;
}

const factsOf = ({ ContentLength: length = 0, ETag: etag = '', ContentType }: Described): ObjectFacts => ({
  length,
  etag,
  contentType: ContentType ?? 'application/octet-stream',
});
