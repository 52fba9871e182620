import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type HealthCheck, HealthChecks } from '#libs/health';
import { ObjectStorage } from '#libs/object-storage';

/** Whether the object store responds. Soft: contacts are found and posts are published without it. */
@Injectable()
export class ObjectStorageCheck implements HealthCheck, OnModuleInit {
  readonly name = 'objectStorage';
  readonly hard = false;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly checks: HealthChecks,
  ) {}

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(): Promise<void> {
    await this.storage.reach();
  }
}
