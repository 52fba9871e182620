import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { UnownedObjects } from '#libs/uploads';

/** Objects without an attachment. */
@Injectable()
export class AttachmentObjects extends UnownedObjects {
  constructor(database: Database, storage: ObjectStorage) {
    super(database, storage, 'contacts.object_to_remove');
  }
}
