import { Module } from '@nestjs/common';
import { AttachmentObjects, OrphanedObjectsSweep } from './attachments/attachment-objects.js';
import { FailedRowsSweep, StagedRowsSweep } from './csv/import/import.sweeps.js';

/** The sweeps of the worker: objects without an attachment, and expired rows of imports. */
@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep, FailedRowsSweep, StagedRowsSweep],
})
export class ContactsWorkerModule {}
