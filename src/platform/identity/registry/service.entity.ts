import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

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
