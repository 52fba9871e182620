import { Module } from '@nestjs/common';
import { UsageModule } from '../ai/usage/usage.module.js';
import { FailingProviders } from './failing-providers.js';
import { WidgetController } from './widget.controller.js';

/** What the workspace launcher shows of this service. */
@Module({ imports: [UsageModule], controllers: [WidgetController], providers: [FailingProviders] })
export class WidgetModule {}
