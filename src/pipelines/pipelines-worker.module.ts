import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Cards } from './cards.stream.js';
import { Pipelines } from './pipelines.stream.js';

@Module({ imports: [CqrsModule], providers: [Pipelines, Cards], exports: [Pipelines, Cards] })
export class PipelinesWorkerModule {}
