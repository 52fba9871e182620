import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { ObjectStorage } from '#libs/object-storage';
import { UnownedObjects } from '#libs/uploads';

/** Objects without a file or rendition: originals, thumbnails, previews, renditions. */
@Injectable()
export class MediaObjects extends UnownedObjects {
  constructor(database: Database, storage: ObjectStorage) {
    super(database, storage, 'media.object_to_remove');
  }
}
