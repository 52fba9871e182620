import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

/** The worker's part. */
@Module({ imports: [CqrsModule] })
export class AiWorkerModule {}
