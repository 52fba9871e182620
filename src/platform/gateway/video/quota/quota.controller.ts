import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Attribution } from '../../access/attribution.js';
import { ServiceCallers } from '../../access/callers.js';
import { CurrentAttribution } from '../../access/current-access.js';
import { QuotaLedger } from './quota-ledger.js';
import { QuotaUsageDto } from './quota.dto.js';

@ApiTags('Quota')
@ServiceCallers('video')
@Controller('api/video/quota')
export class QuotaController {
  constructor(private readonly ledger: QuotaLedger) {}

  @ApiOperation({
    summary: 'Quota of the video provider',
    description:
      'Used and remaining units of today per bucket, and what this application used for the organization.',
  })
  @ApiOkResponse({ type: QuotaUsageDto, description: 'The usage of today, a day in Pacific time.' })
  @Get()
  getVideoQuota(@CurrentAttribution() attribution: Attribution): Promise<QuotaUsageDto> {
    return this.ledger.usageOf(attribution);
  }
}
