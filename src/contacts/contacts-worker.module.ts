import { Module } from '@nestjs/common';
import { AttachmentObjects, OrphanedObjectsSweep } from './attachments/attachment-objects.js';
import { FailedRowsSweep, StagedRowsSweep } from './csv/import/import.sweeps.js';

@Module({
  providers: [AttachmentObjects, OrphanedObjectsSweep, FailedRowsSweep, StagedRowsSweep],
})
export class ContactsWorkerModule {}
