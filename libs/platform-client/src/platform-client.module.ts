import { type DynamicModule, Global, Module } from '@nestjs/common';
import { HttpIdentityClient } from './http-identity-client.js';
import { IdentityClient } from './identity-client.js';
import { PlatformClientConfig } from './platform-client.config.js';

/** The clients of the platform services. Global, because every feature may inject them. */
@Global()
@Module({})
export class PlatformClientModule {
  static forRoot(config: PlatformClientConfig): DynamicModule {
    return {
      module: PlatformClientModule,
      providers: [
        { provide: PlatformClientConfig, useValue: config },
        { provide: IdentityClient, useClass: HttpIdentityClient },
      ],
      exports: [IdentityClient],
    };
  }
}
