import { Module } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';

/** Providers that the module of a network requires. */
@Module({
  providers: [provideConfig(OutboundHttpConfig), OutboundHttp, { provide: Clock, useClass: SystemClock }],
  exports: [OutboundHttp, Clock],
})
export class NetworkAccessModule {}
