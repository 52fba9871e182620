import { Module } from '@nestjs/common';
import { AttachmentObjects } from './attachments/objects/attachments.objects.js';
import { OrphanedObjectsSweep } from './attachments/objects/orphaned-objects.sweep.js';
import { FailedRowsSweep } from './csv/sweeps/failed-rows.sweep.js';
import { StagedRowsSweep } from './csv/sweeps/staged-rows.sweep.js';

/** The worker's part: files that nobody has any more, and rows of imports that are not to be kept. */
@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep, FailedRowsSweep, StagedRowsSweep],
})
export class ContactsWorkerModule {}
