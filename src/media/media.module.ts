import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MediaAddressesModule, MediaHostModule } from './host/media-host.module.js';
import { sharedProviders } from './media.providers.js';

/** The library of the API. */
@Module({ imports: [CqrsModule, MediaAddressesModule, MediaHostModule], providers: sharedProviders })
export class MediaModule {}
