import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '#libs/database';
import { Leases } from '#libs/due-work';
import { REMOVE_OBJECTS_EVERY_MS, UnownedObjectsSweep } from '#libs/uploads';
import { MediaObjects } from '../objects/media.objects.js';

/** Removes objects without a file: abandoned uploads, files that were deleted or rejected, and what was derived from them. */
@Injectable()
export class MediaObjectsSweep extends UnownedObjectsSweep {
  constructor(database: Database, leases: Leases, objects: MediaObjects) {
    super(database, leases, objects, 'sweep:media-objects');
  }

  @Interval(REMOVE_OBJECTS_EVERY_MS)
  tick(): Promise<void> {
    return this.pass(() => this.sweep());
  }
}
