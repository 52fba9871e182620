import { Module } from '@nestjs/common';
import { AttachmentObjects } from './attachments/attachments.objects.js';
import { OrphanedObjectsSweep } from './attachments/orphaned-objects.sweep.js';

/** The worker's part: files that nobody has any more. */
@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep],
})
export class ContactsWorkerModule {}
