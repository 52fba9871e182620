import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp } from '../outbound/outbound-http.js';
import { OutboundHttpConfig } from '../outbound/outbound-http.config.js';

/** Providers that the module of a network requires. */
@Module({
  providers: [provideConfig(OutboundHttpConfig), OutboundHttp, { provide: Clock, useClass: SystemClock }],
  exports: [OutboundHttp, Clock],
})
export class NetworkAccessModule {}
