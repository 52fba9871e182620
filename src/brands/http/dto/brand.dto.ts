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
    description: 'IANA name. Days of the rollups are cut in it, unless a request asks for another.',
    example: 'Europe/Berlin',
  })
  timezone!: string;

  @ApiProperty({
    description: 'Goes up with every change; the ETag is made of it.',
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
