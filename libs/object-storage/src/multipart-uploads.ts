import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListParts,
  type S3Client,
} from '@aws-sdk/client-s3';
import { ObjectStorageIsUnavailable, PartsAreIncomplete } from './object-storage.errors.js';
import { namingErrors, orNull } from './s3-client.js';
import { toBase64, toHex } from './sha256.js';

export interface MultipartUpload {
  readonly key: string;
  readonly uploadId: string;
}

/** An upload that was neither completed nor aborted. */
export interface OpenUpload extends MultipartUpload {
  /** By the clock of the store; null when it does not tell. */
  readonly begunAt: Date | null;
}

/** A part that the store has. A repeated upload of the same number replaces it. */
export interface UploadedPart {
  /** 1 to 10 000. */
  readonly partNumber: number;
  /** Bytes. */
  readonly length: number;
  readonly etag: string;
  /** In hex; null when the store keeps none. */
  readonly sha256: string | null;
}

export interface UploadToComplete extends MultipartUpload {
  /** As listed; all of them, in order. */
  readonly parts: readonly UploadedPart[];
  /** Bytes of the whole object. */
  readonly length: number;
}

/** Objects in parts of one bucket; each part needs its SHA-256. */
export class MultipartUploads {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
  ) {}

  /** Begins an object in parts of at least 5 MiB except the last one. @returns the upload id */
  async create(key: string, contentType: string): Promise<string> {
    const object = { Key: key, ContentType: contentType, ChecksumAlgorithm: 'SHA256' as const };
    const command = new CreateMultipartUploadCommand({ Bucket: this.bucket, ...object });
    const { UploadId: uploadId } = await namingErrors(() => this.client.send(command));
    if (!uploadId) throw new ObjectStorageIsUnavailable(new Error('The store returned no upload id.'));
    return uploadId;
  }

  /** In the order of their numbers. @returns null when the upload does not exist, was completed or aborted */
  parts(upload: MultipartUpload): Promise<UploadedPart[] | null> {
    return orNull(async () => {
      const parts: UploadedPart[] = [];
      for await (const page of paginateListParts({ client: this.client }, this.inputOf(upload)))
        for (const { PartNumber = 0, Size = 0, ETag = '', ChecksumSHA256 } of page.Parts ?? [])
          parts.push({ partNumber: PartNumber, length: Size, etag: ETag, sha256: toHex(ChecksumSHA256) });
      return parts;
    });
  }

  /**
   * Joins the parts. A store may answer a repeated request like the first one or with null.
   * @returns the ETag, or null when the upload does not exist, was completed or aborted @throws PartsAreIncomplete
   */
  async complete(upload: UploadToComplete): Promise<string | null> {
    assertComplete(upload);
    const Parts = upload.parts.map(({ partNumber, etag, sha256 }) => ({
      PartNumber: partNumber,
      ETag: etag,
      ...(sha256 === null ? {} : { ChecksumSHA256: toBase64(sha256) }),
    }));
    const command = new CompleteMultipartUploadCommand({
      ...this.inputOf(upload),
      MultipartUpload: { Parts },
      MpuObjectSize: upload.length,
    });
    const completed = await orNull(() => this.client.send(command));
    return completed && (completed.ETag ?? '');
  }

  /** The uploads of keys with this prefix that were neither completed nor aborted, in pages. */
  async *open(prefix: string): AsyncGenerator<OpenUpload[]> {
    let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
    while (after !== undefined) {
      const input = { Bucket: this.bucket, Prefix: prefix, ...after };
      const command = new ListMultipartUploadsCommand(input);
      const page: ListMultipartUploadsCommandOutput = await namingErrors(() => this.client.send(command));
      yield (page.Uploads ?? []).map(({ Key: key = '', UploadId: uploadId = '', Initiated }) => ({
        key,
        uploadId,
        begunAt: Initiated ?? null,
      }));
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page;
      after = page.IsTruncated ? { KeyMarker, UploadIdMarker } : undefined;
    }
  }

  /**
   * Removes the parts; does nothing when the upload does not exist. A part that is being sent meanwhile may stay at AWS:
   * abort again after the addresses have expired.
   */
  async abort(upload: MultipartUpload): Promise<void> {
    await orNull(() => this.client.send(new AbortMultipartUploadCommand(this.inputOf(upload))));
  }

  private inputOf({ key, uploadId }: MultipartUpload) {
    return { Bucket: this.bucket, Key: key, UploadId: uploadId };
  }
}

/** The store itself accepts any ascending selection of parts, also one with gaps. */
function assertComplete({ parts, length }: UploadToComplete): void {
  const gap = parts.findIndex(({ partNumber }, at) => partNumber !== at + 1);
  if (gap >= 0) throw new PartsAreIncomplete(`Part ${gap + 1} of the upload is missing.`);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes !== length)
    throw new PartsAreIncomplete(`The parts have ${bytes} bytes, the file has ${length} bytes.`);
}
