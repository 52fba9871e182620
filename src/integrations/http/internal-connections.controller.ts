import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { IsInt, IsOptional } from 'class-validator';
import { InternalOnly } from '#libs/auth';
import { ParseIdPipe } from '#libs/http';
import { ConnectionRefresher } from '../tokens/connection-refresher.js';
import type { RefreshResult } from '../tokens/connection-refresh.client.js';

class RefreshRequest {
  @IsOptional()
  @IsInt()
  tokenVersion?: number;
}

/** Served on the management address only, for workers: they hold no client secrets. */
@ApiExcludeController()
@InternalOnly()
@Controller('internal/connections')
export class InternalConnectionsController {
  constructor(private readonly refresher: ConnectionRefresher) {}

  @Post(':connectionId/refresh')
  @HttpCode(200)
  refresh(
    @Param('connectionId', ParseIdPipe) connectionId: string,
    @Body() { tokenVersion }: RefreshRequest,
  ): Promise<RefreshResult> {
    return this.refresher.refresh(connectionId, tokenVersion);
  }
}
