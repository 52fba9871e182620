import type { CustomDecorator } from '@nestjs/common';
import { SetMetadata } from '@nestjs/common';

/** Metadata of controllers and handlers that need no caller; read by the guard of #libs/auth. */
export const IS_PUBLIC = 'http:is-public';

/** A route that needs no credentials. */
export const Public = (): CustomDecorator => SetMetadata(IS_PUBLIC, true);
