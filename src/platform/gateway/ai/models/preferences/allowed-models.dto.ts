import { ApiProperty } from '@nestjs/swagger';
import { ModelDto } from '../catalog/model.dto.js';
import type { CatalogModel } from '../catalog/model-row.js';

export class AllowedModelsDto {
  @ApiProperty({ type: () => [ModelDto] })
  data!: readonly ModelDto[];

  static of(models: readonly CatalogModel[]): AllowedModelsDto {
    return { data: models.map((model) => ModelDto.of(model)) };
  }
}
