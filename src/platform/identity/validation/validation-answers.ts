import { Injectable } from '@nestjs/common';
import { CredentialsAreNotValid } from '#libs/auth';
import type { Credentials } from '#libs/platform-client';
import { ServiceNotFound } from '../identity.errors.js';
import type { ValidationDto } from './dto/validation.dto.js';
import { Validation } from './validation.js';
import { ValidationMetrics } from './validation.metrics.js';

/** The answer to one validation, alone or in a batch. */
@Injectable()
export class ValidationAnswers {
  constructor(
    private readonly validation: Validation,
    private readonly metrics: ValidationMetrics,
  ) {}

  /** @throws CredentialsAreNotValid, ServiceNotFound, the errors of the lookup */
  async answer(credentials: Partial<Credentials>): Promise<ValidationDto> {
    const service = credentials.service === '' ? undefined : credentials.service;
    const validated = await this.metrics.countOutcome(this.validation.validate({ ...credentials, service }));
    if (!validated) throw new CredentialsAreNotValid();
    if (service && !validated.service) throw new ServiceNotFound();
    return { active: true, ...validated };
  }
}
