import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { sharedProviders } from './media.providers.js';
import { MediaObjectsSweep } from './sweeps/media-objects.sweep.js';

/** The worker's part: the messages of other features, inspection, renditions and sweeps. */
@Module({ imports: [CqrsModule], providers: [...sharedProviders, MediaObjectsSweep] })
export class MediaWorkerModule {}
