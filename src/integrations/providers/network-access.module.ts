import { Module, type Provider, type Type } from '@nestjs/common';
import { Clock, SystemClock } from '#libs/clock';
import { provideConfig, type ConfigClass } from '#libs/config';
import { OutboundHttp, OutboundHttpConfig } from '#libs/outbound-http';

@Module({
  providers: [provideConfig(OutboundHttpConfig), OutboundHttp, { provide: Clock, useClass: SystemClock }],
  exports: [OutboundHttp, Clock],
})
export class NetworkAccessModule {}

/** The module of one network. @param parts of its providers */
export function networkModule(
  config: ConfigClass<object>,
  providers: readonly Type[],
  parts: readonly Provider[] = [],
  imports: readonly Type[] = [],
): Type {
  @Module({
    imports: [NetworkAccessModule, ...imports],
    providers: [provideConfig(config), ...parts, ...providers],
    exports: [...providers],
  })
  class NetworkModule {}
  return NetworkModule;
}
