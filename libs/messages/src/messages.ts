import { Command, Query } from '@nestjs/cqrs';

/** A command with all that its handler needs, and the type of its result. */
export abstract class RequestCommand<Request, Result> extends Command<Result> {
  constructor(readonly request: Readonly<Request>) {
    super();
  }
}

/** A query with all that its handler needs, and the type of its result. */
export abstract class RequestQuery<Request, Result> extends Query<Result> {
  constructor(readonly request: Readonly<Request>) {
    super();
  }
}
