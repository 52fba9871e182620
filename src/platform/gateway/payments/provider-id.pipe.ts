import { Injectable, type PipeTransform } from '@nestjs/common';
import { isProviderId } from './dto/shared.js';
import { PaymentObjectNotFound } from './payments.errors.js';

/** What cannot be an id of the provider does not exist. */
@Injectable()
export class ProviderIdPipe implements PipeTransform<string, string> {
  /** @throws PaymentObjectNotFound */
  transform(value: string): string {
    if (!isProviderId(value)) throw new PaymentObjectNotFound('object');
    return value;
  }
}
