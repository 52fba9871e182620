import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import { REMOVE_OBJECTS_EVERY_MS, UnownedObjectsSweep } from '#libs/uploads';
import { AttachmentObjects } from './attachments.objects.js';

/** Removes objects without an attachment: abandoned uploads, files of deleted attachments and erased contacts. */
@Injectable()
export class OrphanedObjectsSweep extends UnownedObjectsSweep {
  constructor(database: Database, leases: Leases, objects: AttachmentObjects) {
    super(database, leases, objects, 'sweep:orphaned-objects');
  }

  @Interval(REMOVE_OBJECTS_EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }
}
