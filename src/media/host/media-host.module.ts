import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { MediaAddressesConfig } from './media-addresses.config.js';
import { MediaAddresses } from './media-addresses.js';
import { MediaHostController } from './media-host.controller.js';

@Module({
  providers: [provideConfig(MediaAddressesConfig), { provide: Clock, useClass: SystemClock }, MediaAddresses],
  exports: [MediaAddresses],
})
export class MediaAddressesModule {}

@Module({ imports: [MediaAddressesModule], controllers: [MediaHostController] })
export class MediaHostModule {}
