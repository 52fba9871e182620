import { Body, Controller, Delete, HttpCode, Put, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { Caller } from '#libs/auth';
import { CurrentCaller } from '#libs/auth';
import { problemResponses, RequestIsNotValid } from '#libs/http';
import { actorOfCaller } from '../../audit/gateway-audit.js';
import { PlatformAdmins } from '../../callers/platform-callers.js';
import { modelRef } from '../model-ref.js';
import { refOf } from '../ref-of.js';
import { StatedLifecycleDto, StateLifecycleDto } from './stated-lifecycle.dto.js';
import { StatedLifecycles } from './stated-lifecycles.js';

const MODEL = { name: 'model', type: String, example: 'openai/gpt-5-mini' };

@ApiTags('Models')
@PlatformAdmins()
@problemResponses(422)
@Controller('api/platform/model-lifecycle')
export class StatedLifecyclesController {
  constructor(private readonly lifecycles: StatedLifecycles) {}

  @Put()
  @ApiOperation({
    operationId: 'stateModelLifecycle',
    summary: 'State the lifecycle of a model',
    description:
      'For platform administrators, where no source has the dates or the replacement of a model, or wrong ones. It counts as a whole in place of what all sources say, until it is withdrawn: what is left out is not. Readings of sources do not change it. GET /api/models, warnings of preferences and governance show it; from `retiresAt` on calls are refused.',
  })
  @ApiQuery(MODEL)
  @problemResponses(400)
  @ApiOkResponse({ type: StatedLifecycleDto, description: 'What is stated.' })
  async state(
    @CurrentCaller() caller: Caller,
    @Query('model') model: unknown,
    @Body() body: StateLifecycleDto,
  ): Promise<StatedLifecycleDto> {
    const { deprecatedAt = null, retiresAt = null, replacement = null } = body;
    if (deprecatedAt !== null && retiresAt !== null && retiresAt < deprecatedAt)
      throw new RequestIsNotValid([
        { pointer: '#/retiresAt', code: 'too_early', detail: 'must not be before deprecatedAt' },
      ]);
    const ref = refOf(String(model));
    await this.lifecycles.state({ ...ref, deprecatedAt, retiresAt, replacement }, actorOfCaller(caller));
    return { model: modelRef(ref), deprecatedAt, retiresAt, replacement };
  }

  @Delete()
  @HttpCode(204)
  @ApiOperation({
    operationId: 'withdrawModelLifecycle',
    summary: 'Withdraw the stated lifecycle of a model',
    description: 'For platform administrators. What the sources say counts again.',
  })
  @ApiQuery(MODEL)
  @ApiNoContentResponse({ description: 'Nothing is stated.' })
  async withdraw(@CurrentCaller() caller: Caller, @Query('model') model: unknown): Promise<void> {
    await this.lifecycles.withdraw(refOf(String(model)), actorOfCaller(caller));
  }
}
