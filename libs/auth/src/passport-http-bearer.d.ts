/** The package ships no types; only what is used here. */
declare module 'passport-http-bearer' {
  import type { Request } from 'express';
  import { Strategy as PassportStrategy } from 'passport';

  export interface StrategyOptions {
    readonly realm?: string;
    readonly passReqToCallback: true;
  }

  type Verify = (
    request: Request,
    token: string,
    done: (error: unknown, user?: object | false) => void,
  ) => void;

  export class Strategy extends PassportStrategy {
    constructor(options: StrategyOptions, verify: Verify);
    authenticate(request: Request): void;
  }
}
