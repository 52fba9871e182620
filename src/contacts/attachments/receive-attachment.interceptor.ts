import { randomUUIDv7 } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { firstValueFrom, type Observable, of } from 'rxjs';
import type { Caller } from '#libs/auth';
import { ParseIdPipe, principalOf } from '#libs/http';
import { ObjectStorage } from '#libs/object-storage';
import {
  attachReceivedFile,
  cleanFileName,
  FileIsMissing,
  FileIsTooLarge,
  type ReceivedFile,
  receiveFile,
  StorageQuota,
  UploadIsNotReadable,
  type UploadRules,
  UploadsConfig,
  UploadSlots,
} from '#libs/uploads';
import { ContactAccess } from '../queries/contacts.access.js';
import { AttachmentObjects } from './attachment-objects.js';
import { AttachmentsConfig } from '../contacts.config.js';
import type { StoredFile } from './change-attachments.js';
import { HEAD_BYTES, typeOfFile } from './file-type.js';

type UploadRequest = Request<{ id: string }> & { user: Caller };

const missing = () =>
  new FileIsMissing(
    'Send multipart/form-data with one file in the part named file, and at most 20 short fields.',
  );

const FORM: UploadRules['form'] = {
  otherBytes: 65_536,
  // Other form fields are accepted and ignored.
  limits: { fields: 20, fieldSize: 1_024, headerPairs: 20 },
  refusals: {
    missing,
    tooLarge: (maxBytes) => new FileIsTooLarge(maxBytes, 'too-large'),
    notReadable: (cause) => new UploadIsNotReadable('upload_not_readable', cause),
    unfit: missing,
  },
};

/**
 * Stores the file of the request before the handler runs, and removes the object unless the handler adopts it. Adds a
 * StoredFile to the request. Runs outside of `@Idempotent()`, so that the transaction of the handler does not wait for the
 * network; an idempotency key compares the name and hash of the file, which are in the body from here on.
 */
@Injectable()
export class ReceiveAttachment implements NestInterceptor {
  constructor(
    private readonly access: ContactAccess,
    private readonly objects: AttachmentObjects,
    private readonly storage: ObjectStorage,
    private readonly config: AttachmentsConfig,
    private readonly uploads: UploadsConfig,
    private readonly slots: UploadSlots,
    private readonly quota: StorageQuota,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<UploadRequest>();
    const contactId = new ParseIdPipe().transform(request.params.id);
    const { organization_id } = await this.access.find(contactId, request.user, 'contacts.write');
    const response = context.switchToHttp().getResponse<Response>();
    const stored = await this.slots.hold(principalOf(request), () =>
      this.receive(request, response, organization_id),
    );
    try {
      attachReceivedFile(request, stored);
      request.body = { fileName: stored.fileName, sha256: stored.sha256 };
      return of(await firstValueFrom(next.handle() as Observable<unknown>));
    } finally {
      await this.objects.discard(stored.key);
    }
  }

  private async receive(
    request: UploadRequest,
    response: Response,
    organizationId: string,
  ): Promise<StoredFile> {
    const announced = Number(request.headers['content-length'] ?? 0) - FORM.otherBytes;
    const { maxBytes, stallMs } = this.config;
    const rules = { ...this.uploads, maxBytes, stallMs, form: FORM };
    if (announced <= maxBytes) await this.quota.assertSpaceFor(organizationId, Math.max(announced, 1));
    const received = await receiveFile(request, response, rules);
    return this.store(received, `attachments/${organizationId}`);
  }

  /** An object whose upload failed is left to the sweep: the store may be unavailable, or hold a part of the object. */
  private async store({ name, spool }: ReceivedFile, folder: string): Promise<StoredFile> {
    try {
      const id = randomUUIDv7();
      const { size, sha256 } = spool;
      const contentType = typeOfFile(await spool.head(HEAD_BYTES));
      const stored = { id, key: `${folder}/${id}`, fileName: cleanFileName(name), contentType, size, sha256 };
      await this.objects.announce(stored.key);
      await this.storage.put(stored.key, { body: spool.read(), length: size, sha256, contentType });
      return stored;
    } finally {
      await spool.close();
    }
  }
}
