import { applyDecorators } from '@nestjs/common';
import { IsUrl, Matches, registerDecorator, type ValidationArguments } from 'class-validator';

/** The context of the validation of a config class; set by `loadConfig`. */
export const LOAD_CONTEXT = Symbol('load context');

export interface LoadContext {
  readonly isProduction: boolean;
  /** Lower case; see IN_CLUSTER_HTTP_HOSTS. */
  readonly httpHosts: ReadonlySet<string>;
  /** Properties whose variable is set. Defaults are addresses of this machine. */
  readonly given: ReadonlySet<string>;
}

interface AddressOptions {
  /** Called within the cluster only: http is allowed for hosts listed in IN_CLUSTER_HTTP_HOSTS. */
  readonly inCluster?: boolean;
}

/** Requires https in production, because requests to the address carry tokens and secrets. */
function IsSecureInProduction({ inCluster = false }: AddressOptions = {}): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isSecureInProduction',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown, { object, property: name }: ValidationArguments) =>
          isSecure(value, name, (object as { [LOAD_CONTEXT]?: LoadContext })[LOAD_CONTEXT], inCluster),
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
  circumstances: LoadContext | undefined,
  inCluster: boolean,
): boolean {
  if (!circumstances?.isProduction || !circumstances.given.has(property)) return true;
  if (typeof value !== 'string' || !URL.canParse(value)) return true;
  const { protocol, hostname } = new URL(value);
  return protocol !== 'http:' || (inCluster && circumstances.httpHosts.has(hostname));
}

const ADDRESS = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  allow_query_components: false,
  allow_fragments: false,
};

/**
 * An http(s) address that paths are appended to: no query, no fragment and no trailing slash.
 * In production it is https; see `IsSecureInProduction`.
 */
export const IsBaseUrl = (options?: AddressOptions): PropertyDecorator =>
  applyDecorators(
    IsSecureInProduction(options),
    Matches(/[^/]$/, { message: 'must not end with a slash' }),
    IsUrl(ADDRESS, { message: 'must be an http(s) address without query and fragment' }),
  );
