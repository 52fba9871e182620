import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { AuthConfig } from './auth.config.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { InternalTokenGuard } from './internal-token.guard.js';

/** Guards every route of the application. Needs an `IdentityClient` among the global providers. */
@Global()
@Module({})
export class AuthModule {
  static forRoot(config: AuthConfig): DynamicModule {
    return {
      module: AuthModule,
      providers: [
        { provide: AuthConfig, useValue: config },
        BearerStrategy,
        ApiKeyStrategy,
        InternalTokenGuard,
        { provide: APP_GUARD, useClass: AuthenticationGuard },
      ],
      exports: [AuthConfig, InternalTokenGuard],
    };
  }
}
