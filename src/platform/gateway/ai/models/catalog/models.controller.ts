import { Controller, Get, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { AcceptsApiKey, RequiresScopes } from '#libs/auth';
import { API_KEY_AUTH, BEARER_AUTH, type Page, Pages, ReturnsPage } from '#libs/http';
import { OFFERED } from '../domain/lifecycle.js';
import { ListModelsQuery } from './list-models.query.js';
import { ModelDto } from './model.dto.js';
import type { CatalogModel } from './model-row.js';
import { type ModelFilter, type ModelKey, ModelsStore } from './models.store.js';

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
      keyOf: (model: CatalogModel): ModelKey => [model.provider, model.id],
    };
    const load = async (after: ModelKey | null, count: number) => ({
      rows: await this.models.page(filter, after, count),
      ...(includeTotal && { total: await this.models.count(filter) }),
    });
    return this.pages.page(list, query, load, (model) => ModelDto.of(model));
  }
}
