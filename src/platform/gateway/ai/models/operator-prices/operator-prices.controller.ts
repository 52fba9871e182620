import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { problemResponses } from '#libs/http';
import { actorOfCaller } from '../../../audit/gateway-audit.js';
import { PlatformAdmins } from '../../../access/callers.js';
import { refOf } from '../domain/model-ref.js';
import { ModelPriceDto, SetPriceDto } from './operator-price.dto.js';
import { OperatorPrices } from './operator-prices.js';

@ApiTags('Models')
@PlatformAdmins()
@problemResponses(400, 422)
@Controller('api/platform/model-prices')
export class OperatorPricesController {
  constructor(private readonly prices: OperatorPrices) {}

  @Get()
  @ApiOperation({
    operationId: 'listModelPrices',
    summary: 'List the prices of a model',
    description:
      'For platform administrators. All that were stored, with their sources, past ones and those that the package announces too.',
  })
  @ApiQuery({ name: 'model', type: String, example: 'openai/gpt-5.4-mini' })
  @ApiOkResponse({ type: [ModelPriceDto], description: 'Those that count before others first.' })
  listPrices(@Query('model') model: unknown): Promise<ModelPriceDto[]> {
    return this.prices.list(refOf(String(model)));
  }

  @Post()
  @ApiOperation({
    operationId: 'setModelPrice',
    summary: 'Set the price of a model',
    description:
      'For platform administrators, where no source has a price or a wrong one. It counts before the prices of all sources, for calls that begin from now on. It stays stored when a later one is set.',
  })
  @ApiCreatedResponse({ type: ModelPriceDto, description: 'The stored price.' })
  setPrice(@CurrentCaller() caller: Caller, @Body() { model, prices }: SetPriceDto): Promise<ModelPriceDto> {
    return this.prices.set(refOf(model), prices, actorOfCaller(caller));
  }
}
