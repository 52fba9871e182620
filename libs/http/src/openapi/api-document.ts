import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI document of the service. Created on first use, to keep the start fast. */
@Injectable()
export class ApiDocument {
  private make?: () => OpenAPIObject;
  private made?: OpenAPIObject;

  /** Called by the bootstrap only. */
  setFactory(make: () => OpenAPIObject): void {
    this.make = make;
  }

  /** Undefined for a service without a description. */
  get(): OpenAPIObject | undefined {
    return (this.made ??= this.make?.());
  }
}
