import { IsIn } from 'class-validator';
import { Env } from './env.js';

const DEPLOYMENTS = ['local', 'staging', 'production'] as const;

/** What is only safe on one machine asks for `local`; what only tests credentials asks for anything but `production`. */
export class DeploymentConfig {
  @Env('DEPLOY_ENV', {
    description:
      'Kind of this installation: local, staging or production. Production takes no sandbox credentials, and only local calls addresses of its own network.',
    default: 'production',
  })
  @IsIn(DEPLOYMENTS)
  deployment!: (typeof DEPLOYMENTS)[number];
}
