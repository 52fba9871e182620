import { IsOptional } from 'class-validator';
import { Env, IsBaseUrl } from '#libs/config';

export class ModelSyncConfig {
  @Env('MODEL_CATALOG_URL', {
    description:
      "Address of an open catalog of models in the format of models.dev's api.json; redirects are not followed. Unset: none is read.",
  })
  @IsOptional()
  @IsBaseUrl({ inCluster: true })
  catalogUrl?: string;

  /** Between readings of the model catalog's sources. One replica reads. */
  everyMinutes = 360;
}
