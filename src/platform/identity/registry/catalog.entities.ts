import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** A row of the service registry. */
@Entity({ schema: 'identity', name: 'service' })
export class ServiceEntity {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'surface_kind' })
  surfaceKind!: string;

  @Column('text', { name: 'surface_group' })
  surfaceGroup!: string;

  @Column('boolean')
  launchable!: boolean;

  @Column('boolean', { name: 'household_capable' })
  householdCapable!: boolean;

  @Column('text', { name: 'supported_contexts', array: true })
  supportedContexts!: string[];
}

/** A permission of a service. */
@Entity({ schema: 'identity', name: 'permission' })
export class PermissionEntity {
  @PrimaryColumn('uuid', { name: 'service_id' })
  serviceId!: string;

  /** resource.action */
  @PrimaryColumn('text')
  scope!: string;

  @Column('text')
  description!: string;
}

/** A permission that keys and service principals can have. */
@Entity({ schema: 'identity', name: 'api_key_scope' })
export class ApiKeyScopeEntity {
  @PrimaryColumn('uuid', { name: 'service_id' })
  serviceId!: string;

  @PrimaryColumn('text')
  scope!: string;
}

/** The permissions of a role in a service. */
@Entity({ schema: 'identity', name: 'role_bundle' })
export class RoleBundleEntity {
  @PrimaryColumn('uuid', { name: 'service_id' })
  serviceId!: string;

  @PrimaryColumn('text')
  role!: string;

  @Column('text')
  name!: string;
}

@Entity({ schema: 'identity', name: 'role_bundle_permission' })
export class RoleBundlePermissionEntity {
  @PrimaryColumn('uuid', { name: 'service_id' })
  serviceId!: string;

  @PrimaryColumn('text')
  role!: string;

  @PrimaryColumn('text')
  scope!: string;
}
