import type { Readable } from 'node:stream';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { ObjectStorageConfig } from './object-storage.config.js';
import { ObjectStorageIsUnavailable } from './object-storage.errors.js';

export interface ObjectToStore {
  /** Readable once, so that a failed put is not retried. */
  readonly body: Readable;
  /** Bytes. S3 accepts no object of unknown length. */
  readonly length: number;
  /** Of the whole body, in hex; the store refuses what does not match. */
  readonly sha256: string;
  readonly contentType: string;
}

export interface StoredObject {
  /** Destroy it if it is not read to its end. */
  readonly body: Readable;
  /** Bytes. */
  readonly length: number;
}

/**
 * Objects by key in one bucket. Nothing is held in memory: bodies are streams.
 * @throws ObjectStorageIsUnavailable from every method when the store refuses or does not respond.
 */
@Injectable()
export class ObjectStorage implements OnApplicationShutdown {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(config: ObjectStorageConfig) {
    this.bucket = config.bucket;
    this.client = new S3Client(clientOptions(config));
  }

  /** Replaces the object of the key. */
  async put(key: string, { body, length, sha256, contentType }: ObjectToStore): Promise<void> {
    const checksum = Buffer.from(sha256, 'hex').toString('base64');
    const object = { ContentLength: length, ContentType: contentType, ChecksumSHA256: checksum };
    const command = new PutObjectCommand({ Bucket: this.bucket, Key: key, Body: body, ...object });
    await namingOutages(() => this.client.send(command));
  }

  /** @returns null when there is no such object. */
  get(key: string): Promise<StoredObject | null> {
    return orNull(async () => {
      const command = new GetObjectCommand({ Bucket: this.bucket, Key: key });
      const { Body: body, ContentLength: length } = await this.client.send(command);
      return { body: body as Readable, length: length ?? 0 };
    });
  }

  /** @returns null when there is no such object. */
  head(key: string): Promise<Pick<StoredObject, 'length'> | null> {
    return orNull(async () => {
      const command = new HeadObjectCommand({ Bucket: this.bucket, Key: key });
      const { ContentLength: length } = await this.client.send(command);
      return { length: length ?? 0 };
    });
  }

  /** Does nothing when there is no such object. */
  async delete(key: string): Promise<void> {
    await orNull(() => this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key })));
  }

  /** Checks the connection: a 404 for an object that never exists is success; a missing bucket is an error. */
  async reach(): Promise<void> {
    await this.get('is-anybody-there');
  }

  onApplicationShutdown(): void {
    this.client.destroy();
  }
}

const CONNECT_MS = 3_000;
const ATTEMPTS = 2;

/** Errors are thrown; the SDK would also print them. */
const SILENT = (): void => undefined;
const LOGGER = { debug: SILENT, info: SILENT, warn: SILENT, error: SILENT };

function clientOptions(config: ObjectStorageConfig): S3ClientConfig {
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey, timeoutMs } = config;
  return {
    endpoint,
    region,
    forcePathStyle,
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
    maxAttempts: ATTEMPTS,
    logger: LOGGER,
    // The SDK's default checksums use a trailer, which many stores other than AWS do not support.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: Math.min(CONNECT_MS, timeoutMs), socketTimeout: timeoutMs },
  };
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  return namingOutages(async () => {
    try {
      return await work();
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  });
}

/** GET returns NoSuchKey, HEAD has no body with a code. A missing bucket is not a missing object. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');
}

/** Includes wrong credentials and a missing bucket, which no caller can fix. */
async function namingOutages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ObjectStorageIsUnavailable(error);
  }
}
