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
    description: 'Port of health, metrics and internal routes of the business API; do not expose it.',
    default: '9000',
  })
  @IsPort()
  apiManagementPort!: number;

  @Env('WORKER_MANAGEMENT_PORT', {
    description: 'Port of health and metrics of the worker; do not expose it.',
    default: '9010',
  })
  @IsPort()
  workerManagementPort!: number;
}
