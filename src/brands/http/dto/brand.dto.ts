import { ApiProperty } from '@nestjs/swagger';
import type { BrandSummary } from '../../views/brand.view.js';

export class BrandDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  id!: string;

  @ApiProperty({
    description: 'The organization that owns it; a transfer changes it.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  organizationId!: string;

  @ApiProperty({ example: 'Acme Coffee' })
  name!: string;

  @ApiProperty({
    description: 'IANA name. Defines the days of the rollups, unless a request asks for another time zone.',
    example: 'Europe/Berlin',
  })
  timezone!: string;

  @ApiProperty({
    description: 'Increases with every change; part of the ETag.',
    type: 'integer',
    example: 1,
  })
  version!: number;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  updatedAt!: string;

  static of(brand: BrandSummary): BrandDto {
    const { id, organizationId, name, timezone, version, createdAt, updatedAt } = brand;
    return { id, organizationId, name, timezone, version, createdAt, updatedAt };
  }
}
