import { Module } from '@nestjs/common';
import { AttachmentObjects } from './attachments/attachments.objects.js';
import { OrphanedObjectsSweep } from './attachments/orphaned-objects.sweep.js';
import { FailedRowsSweep } from './csv/import/failed-rows.sweep.js';
import { StagedRowsSweep } from './csv/import/staged-rows.sweep.js';

/** The worker's part: files that nobody has any more, and rows of imports that are not to be kept. */
@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep, FailedRowsSweep, StagedRowsSweep],
})
export class ContactsWorkerModule {}
