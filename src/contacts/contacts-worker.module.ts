import { Module } from '@nestjs/common';
import { AttachmentObjects } from './attachments/objects/attachments.objects.js';
import { OrphanedObjectsSweep } from './attachments/objects/orphaned-objects.sweep.js';
import { FailedRowsSweep } from './csv/sweeps/failed-rows.sweep.js';
import { StagedRowsSweep } from './csv/sweeps/staged-rows.sweep.js';

/** The sweeps of the worker: objects without an attachment, and expired rows of imports. */
@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep, FailedRowsSweep, StagedRowsSweep],
})
export class ContactsWorkerModule {}
