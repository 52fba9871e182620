import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GatewayClientModule } from '#libs/platform-client';

/** The routes of the API. */
@Module({ imports: [CqrsModule, GatewayClientModule] })
export class AiModule {}
