import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { sharedProviders } from './media.providers.js';

/** The library of the API. */
@Module({ imports: [CqrsModule], providers: sharedProviders })
export class MediaModule {}
