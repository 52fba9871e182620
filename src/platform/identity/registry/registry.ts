import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, type FindManyOptions, type FindOptionsWhere, Repository } from 'typeorm';
import { namingOutages } from '#libs/database';
import { ServiceNotFound } from '../identity.errors.js';
import {
  ApiKeyScopeEntity,
  PermissionEntity,
  RoleBundleEntity,
  RoleBundlePermissionEntity,
  ServiceEntity,
} from './catalog.entities.js';
import { type PermissionDto, type RoleBundleDto, ServiceDto } from './registry.dto.js';
import { permissionName } from './permission-name.js';

/** The service catalogs. Not cached, so that a changed row is effective at once. */
@Injectable()
export class Registry {
  constructor(
    @InjectRepository(ServiceEntity) private readonly services: Repository<ServiceEntity>,
    @InjectRepository(PermissionEntity) private readonly permissionRows: Repository<PermissionEntity>,
    @InjectRepository(ApiKeyScopeEntity) private readonly scopeRows: Repository<ApiKeyScopeEntity>,
    @InjectRepository(RoleBundleEntity) private readonly bundleRows: Repository<RoleBundleEntity>,
    @InjectRepository(RoleBundlePermissionEntity)
    private readonly bundled: Repository<RoleBundlePermissionEntity>,
  ) {}

  async list(filter: { launchable?: boolean; context?: string }): Promise<ServiceDto[]> {
    const where: FindOptionsWhere<ServiceEntity> = {
      ...(filter.launchable === undefined ? {} : { launchable: filter.launchable }),
      ...(filter.context === undefined ? {} : { supportedContexts: ArrayContains([filter.context]) }),
    };
    const rows = await all(this.services, { where, order: { slug: 'ASC' } });
    return rows.map((row) => ServiceDto.of(row));
  }

  async find(slug: string): Promise<ServiceDto | null> {
    const row = await namingOutages(() => this.services.findOneBy({ slug }));
    return row && ServiceDto.of(row);
  }

  /** @throws ServiceNotFound, like the methods below */
  async get(slug: string): Promise<ServiceDto> {
    const service = await this.find(slug);
    if (!service) throw new ServiceNotFound();
    return service;
  }

  async permissions(slug: string): Promise<PermissionDto[]> {
    const { id: serviceId } = await this.get(slug);
    const rows = await all(this.permissionRows, { where: { serviceId }, order: { scope: 'ASC' } });
    return rows.map(({ scope, description }) => {
      return { permission: permissionName(serviceId, scope), scope, description };
    });
  }

  async apiKeyScopes(slug: string): Promise<string[]> {
    const { id: serviceId } = await this.get(slug);
    const rows = await all(this.scopeRows, { where: { serviceId }, order: { scope: 'ASC' } });
    return rows.map(({ scope }) => scope);
  }

  async roleBundles(slug: string): Promise<RoleBundleDto[]> {
    const { id: serviceId } = await this.get(slug);
    const bundles = await all(this.bundleRows, { where: { serviceId }, order: { role: 'ASC' } });
    const rows = await all(this.bundled, { where: { serviceId }, order: { scope: 'ASC' } });
    return bundles.map(({ role, name }) => {
      const scopes = rows.filter((row) => row.role === role).map(({ scope }) => scope);
      return { role, name, permissions: scopes.map((scope) => permissionName(serviceId, scope)), scopes };
    });
  }
}

function all<Row extends object>(rows: Repository<Row>, options: FindManyOptions<Row>): Promise<Row[]> {
  return namingOutages(() => rows.find(options));
}
