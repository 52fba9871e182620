import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { IfMatch, problemResponses, ReturnsEtag } from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller } from '../../../audit/gateway-audit.js';
import { AI_CAPABILITIES, type AiCapability } from '../../../access/attribution.js';
import { PlatformAdmins } from '../../../access/callers.js';
import { PreferenceDto, WritePreferenceDto } from './preference.dto.js';
import { CapabilityPipe } from './capability.pipe.js';
import { Preferences } from './preferences.js';

const changing = ({ effective, warnings }: PreferenceDto): unknown => [effective, warnings];

@ApiTags('Models')
@PlatformAdmins()
@ApiParam({ name: 'capability', enum: AI_CAPABILITIES })
@problemResponses(400)
@Controller('api/platform/preferences/:capability')
export class PlatformPreferencesController {
  constructor(private readonly preferences: Preferences) {}

  @Get()
  @ReturnsEtag(changing)
  @ApiOperation({
    operationId: 'getPlatformModelPreference',
    summary: "The platform's models",
    description:
      'For platform administrators. The default model and fallback chain of organizations without their own, and the models that organizations may use.',
  })
  @ApiOkResponse({ type: PreferenceDto, description: 'The preference; empty when none is stored.' })
  async getPreference(@Param('capability', CapabilityPipe) capability: AiCapability): Promise<PreferenceDto> {
    return PreferenceDto.of(await this.preferences.get({ organizationId: null, capability }));
  }

  @Put()
  @ReturnsEtag(changing)
  @ApiOperation({
    operationId: 'replacePlatformModelPreference',
    summary: "Replace the platform's models",
    description:
      'For platform administrators. It applies to the next request of every organization; what is no longer allowed is not used, also where organizations name it.',
  })
  @ApiOkResponse({ type: PreferenceDto, description: 'The new preference.' })
  @problemResponses(VersionIsStale)
  async replacePreference(
    @CurrentCaller() caller: Caller,
    @Param('capability', CapabilityPipe) capability: AiCapability,
    @Body() body: WritePreferenceDto,
    @IfMatch() ifVersion?: number,
  ): Promise<PreferenceDto> {
    const preference = WritePreferenceDto.preferenceOf(body);
    const change = { preference, actor: actorOfCaller(caller), ifVersion };
    return PreferenceDto.of(await this.preferences.replace({ organizationId: null, capability }, change));
  }
}
