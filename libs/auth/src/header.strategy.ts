import type { Request } from 'express';
import { Strategy } from 'passport';

type Done = (error: unknown, user?: object | false | null) => void;

/** A passport strategy for a credential that is a complete header value. */
export class HeaderStrategy extends Strategy {
  constructor(
    private readonly header: string,
    private readonly verify: (credential: string, done: Done) => void,
  ) {
    super();
    this.name = header;
  }

  override authenticate(request: Request, _options?: object): void {
    const credential = request.headers[this.header];
    if (typeof credential !== 'string' || credential === '') return this.fail();
    this.verify(credential, (error, user) => {
      if (error) return this.error(error);
      return user ? this.success(user) : this.fail();
    });
  }
}
