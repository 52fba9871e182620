import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { MediaAddressesConfig } from './media-addresses.config.js';
import { MediaAddresses } from './media-addresses.js';
import { MediaHostController } from './media-host.controller.js';

/** Signs addresses of media; for the API and the worker. */
@Module({
  providers: [provideConfig(MediaAddressesConfig), { provide: Clock, useClass: SystemClock }, MediaAddresses],
  exports: [MediaAddresses],
})
export class MediaAddressesModule {}

/** Serves the signed addresses; for the API. */
@Module({ imports: [MediaAddressesModule], controllers: [MediaHostController] })
export class MediaHostModule {}
