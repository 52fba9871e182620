import { Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FormValues } from './forms.js';

/** The OpenAPI document of the service. Created on first use, to keep the start fast. */
@Injectable()
export class ApiDocument {
  private make?: () => OpenAPIObject;
  private made?: OpenAPIObject;

  /** What the forms of Swagger UI show in addition, read at each load of the page. Only a start on one machine sets it. */
  formValues?: () => Promise<FormValues>;

  /** Called by the bootstrap only. */
  setFactory(make: () => OpenAPIObject): void {
    this.make = make;
  }

  /** Undefined for a service without a description. */
  get(): OpenAPIObject | undefined {
    return (this.made ??= this.make?.());
  }
}
