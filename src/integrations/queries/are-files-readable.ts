import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { DeliveryFile } from '#libs/content';
import { FileAddresses } from '../preparations/file-addresses.js';

/** Whether networks can fetch these files now, as far as this process can tell. */
export class AreFilesReadable extends Query<boolean> {
  constructor(readonly files: readonly DeliveryFile[]) {
    super();
  }
}

@QueryHandler(AreFilesReadable)
export class AreFilesReadableHandler implements IQueryHandler<AreFilesReadable> {
  constructor(private readonly addresses: FileAddresses) {}

  execute({ files }: AreFilesReadable): Promise<boolean> {
    return this.addresses.areReadable(files);
  }
}
