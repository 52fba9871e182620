import { randomUUIDv7 } from 'node:crypto';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { firstValueFrom, of } from 'rxjs';
import type { Caller } from '#libs/auth';
import { ParseIdPipe } from '#libs/http';
import { ObjectStorage } from '#libs/object-storage';
import { ContactAccess } from '../../contacts.access.js';
import { AttachmentObjects } from '../attachments.objects.js';
import { AttachmentsConfig } from '../attachments.config.js';
import type { StoredFile } from '../commands/add-attachment.js';
import { cleanFileName } from '../file-name.js';
import { typeOfFile } from '../file-type.js';
import type { ReceivedFile } from './receive-file.js';
import { receiveFile } from './receive-file.js';

type UploadRequest = Request<{ id: string }> & { user: Caller; stored?: StoredFile };

/** The file that `ReceiveAttachment` has stored. */
export const Stored = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<UploadRequest>().stored,
);

/**
 * Stores the file of the request before the handler runs, and removes the object again unless the handler adopted it.
 * Stands outside of `@Idempotent()`, so that the handler's transaction waits for no network; what a key is compared
 * by is the file's name and hash, which stand in the body from here on.
 */
@Injectable()
export class ReceiveAttachment implements NestInterceptor {
  constructor(
    private readonly access: ContactAccess,
    private readonly objects: AttachmentObjects,
    private readonly storage: ObjectStorage,
    private readonly config: AttachmentsConfig,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<UploadRequest>();
    const contactId = new ParseIdPipe().transform(request.params.id);
    const { organization_id } = await this.access.find(contactId, request.user, 'contacts.write');
    const response = context.switchToHttp().getResponse<Response>();
    const received = await receiveFile(request, response, this.config);
    const stored = await this.store(received, `attachments/${organization_id}`);
    try {
      request.stored = stored;
      request.body = { fileName: stored.fileName, sha256: stored.sha256 };
      return of(await firstValueFrom(next.handle() as Observable<unknown>));
    } finally {
      await this.objects.discard(stored.key);
    }
  }

  /** An object that could not be put is left to the sweep: the store may be down, and part of it may be there. */
  private async store({ name, spool }: ReceivedFile, folder: string): Promise<StoredFile> {
    try {
      const id = randomUUIDv7();
      const { size, sha256 } = spool;
      const contentType = typeOfFile(spool.head);
      const stored = { id, key: `${folder}/${id}`, fileName: cleanFileName(name), contentType, size, sha256 };
      await this.objects.announce(stored.key);
      await this.storage.put(stored.key, { body: spool.read(), length: size, sha256, contentType });
      return stored;
    } finally {
      await spool.close();
    }
  }
}
