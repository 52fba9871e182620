import { registerDecorator } from 'class-validator';
import type { ValidationArguments } from 'class-validator';

/** What a config class is loaded under; set by `loadConfig` while it validates. */
export const CIRCUMSTANCES = Symbol('circumstances');

export interface Circumstances {
  readonly isProduction: boolean;
  /** Lower case; see IN_CLUSTER_HTTP_HOSTS. */
  readonly httpHosts: ReadonlySet<string>;
  /** Properties whose variable is set: a default is the address of this machine. */
  readonly given: ReadonlySet<string>;
}

export interface AddressOptions {
  /** Called within the cluster only: http is allowed for hosts listed in IN_CLUSTER_HTTP_HOSTS. */
  readonly inCluster?: boolean;
}

/** In production an address begins with https: tokens and secrets are sent there. */
export function IsSecureInProduction({ inCluster = false }: AddressOptions = {}): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isSecureInProduction',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown, { object, property: name }: ValidationArguments) =>
          isSecure(value, name, (object as { [CIRCUMSTANCES]?: Circumstances })[CIRCUMSTANCES], inCluster),
        defaultMessage: () =>
          inCluster
            ? 'must begin with https in production, or its host must be listed in IN_CLUSTER_HTTP_HOSTS'
            : 'must begin with https in production',
      },
    });
}

function isSecure(
  value: unknown,
  property: string,
  circumstances: Circumstances | undefined,
  inCluster: boolean,
): boolean {
  if (!circumstances?.isProduction || !circumstances.given.has(property)) return true;
  if (typeof value !== 'string' || !URL.canParse(value)) return true;
  const { protocol, hostname } = new URL(value);
  return protocol !== 'http:' || (inCluster && circumstances.httpHosts.has(hostname));
}
