import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Allow } from 'class-validator';
import { PERMISSION } from '../../examples.js';

export class PermissionDto {
  @ApiProperty({ example: '0197a1f0-3c6e-7000-8000-000000000001.posts:write' })
  permission!: string;

  @ApiProperty({ example: 'posts.write' })
  scope!: string;

  @ApiProperty({ example: 'Create, edit, approve, reject and retry posts' })
  description!: string;
}

export class PermissionCatalogDto {
  @ApiProperty({ type: () => [PermissionDto] })
  data!: PermissionDto[];
}

export class ScopeCatalogDto {
  @ApiProperty({ type: [String], example: ['posts.read', 'posts.write'] })
  data!: string[];
}

export class RoleBundleDto {
  @ApiProperty({ example: 'member', enum: ['owner', 'admin', 'member', 'viewer'] })
  role!: string;

  @ApiProperty({ example: 'Member of Social publishing' })
  name!: string;

  @ApiProperty({ example: [PERMISSION], type: [String] })
  permissions!: string[];

  @ApiProperty({ example: ['posts.write'], type: [String] })
  scopes!: string[];
}

export class RoleBundleCatalogDto {
  @ApiProperty({ type: () => [RoleBundleDto] })
  data!: RoleBundleDto[];
}

export class ServicesQuery {
  @ApiPropertyOptional({ type: Boolean, description: 'Only those a launcher may offer, or only the others.' })
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : undefined))
  @Allow()
  launchable?: boolean;

  @ApiPropertyOptional({ enum: ['personal', 'organization'] })
  @Transform(({ value }: { value: unknown }) =>
    value === 'personal' || value === 'organization' ? value : undefined,
  )
  @Allow()
  context?: 'personal' | 'organization';
}
