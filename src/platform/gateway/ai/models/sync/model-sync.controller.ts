import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';
import { PlatformSuperAdmins } from '../../../access/callers.js';
import { ModelSync, ModelSyncIsRunning } from './model-sync.js';
import { ModelSyncDto } from './source-result.dto.js';

@ApiTags('Models')
@Controller('api/models/sync')
export class ModelSyncController {
  constructor(private readonly sync: ModelSync) {}

  @Post()
  @HttpCode(200)
  @PlatformSuperAdmins()
  @ApiOperation({
    operationId: 'syncModels',
    summary: 'Read the sources of the catalog',
    description:
      "For platform super administrators. Reads the lists of providers, with the platform's credentials, and the open catalog. A failing source is reported and keeps what was known; the others are stored. One synchronization runs at a time.",
  })
  @ApiOkResponse({ type: ModelSyncDto, description: 'The result of each source.' })
  @problemResponses(ModelSyncIsRunning)
  async syncModels(): Promise<ModelSyncDto> {
    return { sources: await this.sync.run() };
  }
}
