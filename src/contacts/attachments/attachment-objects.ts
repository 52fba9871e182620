import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import { ObjectStorage } from '#libs/object-storage';
import { UnownedObjects, UnownedObjectsSweep } from '#libs/uploads';

@Injectable()
export class AttachmentObjects extends UnownedObjects {
  constructor(database: Database, storage: ObjectStorage) {
    super(database, storage, 'contacts.object_to_remove');
  }
}

/** Removes objects without an attachment: abandoned uploads, files of deleted attachments and erased contacts. */
@Injectable()
export class OrphanedObjectsSweep extends UnownedObjectsSweep {
  constructor(database: Database, leases: Leases, objects: AttachmentObjects) {
    super(database, leases, objects, 'sweep:orphaned-objects');
  }
}
