import {
  Validate,
  type ValidationArguments,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { DeploymentConfig, Env, FromConfig } from '#libs/config';

const originsIn = (list: string): string[] =>
  list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');

@ValidatorConstraint({ name: 'areLocalOrigins' })
class AreLocalOrigins implements ValidatorConstraintInterface {
  validate(list: unknown, { object }: ValidationArguments): boolean {
    const origins = originsIn(String(list));
    const { deployment } = object as PublicFetchConfig;
    return origins.length === 0 || (deployment === 'local' && origins.every(isOrigin));
  }

  defaultMessage(): string {
    return 'must be a comma-separated list of origins, such as http://127.0.0.1:4010, and empty unless DEPLOY_ENV is local: they are called without a check of their address';
  }
}

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** What `PublicFetch` calls besides the public internet. */
export class PublicFetchConfig {
  @Env('FETCH_ALLOWED_ORIGINS', {
    description:
      'Comma-separated origins of this machine that addresses given by users may name, such as http://127.0.0.1:4010 for the sandbox. Only where DEPLOY_ENV is local.',
    default: '',
  })
  @Validate(AreLocalOrigins)
  allowed!: string;

  @FromConfig(DeploymentConfig, 'deployment')
  deployment!: DeploymentConfig['deployment'];

  /** Of the URL: scheme, host and port. Empty unless the deployment is local. */
  get allowedOrigins(): ReadonlySet<string> {
    return new Set(originsIn(this.allowed));
  }
}
