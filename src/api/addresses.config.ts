import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** A TCP port; 0 takes a free one. */
export const IsPort = (): PropertyDecorator => (target, property) => {
  for (const rule of [Max(65_535), Min(0), IsInt()]) rule(target, property);
};

/** The addresses of the business API and its worker. */
export class AddressesConfig {
  @Env('API_PORT', { description: 'Public port of the business API.', default: '3000' })
  @IsPort()
  apiPort!: number;

  @Env('API_MANAGEMENT_PORT', {
    description: 'Health, metrics and internal routes of the business API; not to be exposed.',
    default: '9000',
  })
  @IsPort()
  apiManagementPort!: number;

  @Env('WORKER_MANAGEMENT_PORT', {
    description: 'Health and metrics of the worker; not to be exposed.',
    default: '9010',
  })
  @IsPort()
  workerManagementPort!: number;
}
