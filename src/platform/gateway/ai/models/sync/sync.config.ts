import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class ModelSyncConfig {
  @Env('MODEL_CATALOG_URL', {
    description:
      "Address of an open catalog of models in the format of models.dev's api.json; redirects are not followed. Unset: none is read.",
  })
  @IsOptional()
  @IsBaseUrl({ inCluster: true })
  catalogUrl?: string;

  @Env('MODEL_SYNC_MINUTES', {
    description:
      "Time between readings of the model catalog's sources, in minutes (5 to 10080). One replica reads.",
    default: '360',
  })
  @IsInt()
  @Min(5)
  @Max(10_080)
  everyMinutes!: number;
}
