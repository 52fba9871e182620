import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiPropertyOptional, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, RequiresScopes } from '#libs/auth';
import {
  AmongFilter,
  API_KEY_AUTH,
  BEARER_AUTH,
  ListQuery,
  type Page,
  Pages,
  ReturnsPage,
  WordsFilter,
} from '#libs/http';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { type Lifecycle, LIFECYCLES, OFFERED } from '../domain/model-ref.js';
import { type CatalogModel, ModelDto } from './model.dto.js';
import { type ModelFilter, type ModelKey, ModelsStore } from './models.store.js';

const several = 'Several values are separated by commas.';

class ListModelsQuery extends ListQuery {
  @ApiPropertyOptional({ enum: AI_CAPABILITIES, isArray: true, description: several })
  @AmongFilter(AI_CAPABILITIES)
  capability?: AiCapability[];

  @ApiPropertyOptional({ type: [String], example: ['openai'], description: several })
  @WordsFilter((word) => /^[a-z][a-z0-9-]{0,62}$/.test(word), 'must be names of providers')
  provider?: string[];

  @ApiPropertyOptional({
    enum: LIFECYCLES,
    isArray: true,
    description: `${several} Left out: \`active\` and \`deprecated\`, which are those that can be used.`,
  })
  @AmongFilter(LIFECYCLES)
  lifecycle?: Lifecycle[];
}

@ApiTags('Models')
@ApiBearerAuth(BEARER_AUTH)
@ApiSecurity(API_KEY_AUTH)
@Controller('api/models')
export class ModelsController {
  constructor(
    private readonly models: ModelsStore,
    private readonly pages: Pages,
  ) {}

  @Get()
  @AcceptsApiKey()
  @RequiresScopes('ai.invoke')
  @ApiOperation({
    operationId: 'listModels',
    summary: 'List models',
    description:
      'The catalog in the order of provider and name, with current prices. Models that are retired are left out unless `lifecycle` names them; of others, `retiresAt` is the day from which calls are refused. Which of them an organization allows is in its preferences.',
  })
  @ReturnsPage(ModelDto, 'One page of models.')
  listModels(@Query() query: ListModelsQuery): Promise<Page<ModelDto>> {
    const { capability, provider, lifecycle = OFFERED, includeTotal } = query;
    const filter: ModelFilter = { capability, provider, lifecycle };
    const list = {
      list: 'models:provider,id',
      filters: { ...filter },
      keyOf: ({ provider: of, model }: CatalogModel): ModelKey => [of, model.slice(of.length + 1)],
    };
    const load = async (after: ModelKey | null, count: number) => ({
      rows: await this.models.page(filter, after, count),
      ...(includeTotal && { total: await this.models.count(filter) }),
    });
    return this.pages.page(list, query, load, (model) => ModelDto.of(model));
  }
}
