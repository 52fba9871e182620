import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** What the service says of itself. Made when first asked for, so that starting costs nothing. */
@Injectable()
export class ApiDocument {
  private make?: () => OpenAPIObject;
  private made?: OpenAPIObject;

  /** For the bootstrap alone. */
  isMadeBy(make: () => OpenAPIObject): void {
    this.make = make;
  }

  /** Undefined of a service without a description. */
  get(): OpenAPIObject | undefined {
    return (this.made ??= this.make?.());
  }
}
