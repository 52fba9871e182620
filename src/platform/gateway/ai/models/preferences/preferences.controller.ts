import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { IfMatch, problemResponses, ReturnsEtag } from '#libs/http';
import { VersionIsStale } from '#libs/event-store';
import { actorOfCaller } from '../../../audit/gateway-audit.js';
import { AiCallers, OrganizationCallers } from '../../../access/callers.js';
import { CurrentAttribution, CurrentOrganization } from '../../../access/current-access.js';
import { AI_CAPABILITIES, type AiCapability, type Attribution } from '../../../access/attribution.js';
import { AllowedModelsDto } from './allowed-models.dto.js';
import { PreferenceDto, WritePreferenceDto } from './preference.dto.js';
import { CapabilityPipe } from './capability.pipe.js';
import { Preferences } from './preferences.js';

const changing = ({ effective, warnings }: PreferenceDto): unknown => [effective, warnings];

@ApiTags('Models')
@ApiParam({ name: 'capability', enum: AI_CAPABILITIES })
@Controller('api/preferences/:capability')
export class PreferencesController {
  constructor(private readonly preferences: Preferences) {}

  @Get()
  @AiCallers('of-path')
  @ReturnsEtag(changing)
  @ApiOperation({
    operationId: 'getModelPreference',
    summary: "An organization's models",
    description:
      'Default model, allowed models and fallback chain for a capability: as stored, and as they apply with those of the platform. Services read it for the organization that they call for.',
  })
  @ApiOkResponse({ type: PreferenceDto, description: 'The preference; empty when none is stored.' })
  async getPreference(
    @CurrentAttribution() { organizationId }: Attribution,
    @Param('capability', CapabilityPipe) capability: AiCapability,
  ): Promise<PreferenceDto> {
    return PreferenceDto.of(await this.preferences.get({ organizationId, capability }));
  }

  @Get('models')
  @AiCallers('of-path')
  @ApiOperation({
    operationId: 'listAllowedModels',
    summary: 'Models that an organization may use',
    description:
      'The models for a capability that the organization and the platform allow and that are not retired.',
  })
  @ApiOkResponse({ type: AllowedModelsDto, description: 'In the order of provider and name.' })
  async listAllowedModels(
    @CurrentAttribution() { organizationId }: Attribution,
    @Param('capability', CapabilityPipe) capability: AiCapability,
  ): Promise<AllowedModelsDto> {
    return AllowedModelsDto.of(await this.preferences.allowedModels({ organizationId, capability }));
  }

  @Put()
  @OrganizationCallers('org.admin')
  @ReturnsEtag(changing)
  @ApiOperation({
    operationId: 'replaceModelPreference',
    summary: "Replace an organization's models",
    description:
      'What is left out becomes null, which means that of the platform. A request that names another model counts for itself alone and never changes the preference.',
  })
  @ApiOkResponse({ type: PreferenceDto, description: 'The new preference; it applies to the next request.' })
  @problemResponses(VersionIsStale)
  async replacePreference(
    @CurrentCaller() caller: Caller,
    @CurrentOrganization() organizationId: string,
    @Param('capability', CapabilityPipe) capability: AiCapability,
    @Body() body: WritePreferenceDto,
    @IfMatch() ifVersion?: number,
  ): Promise<PreferenceDto> {
    const preference = WritePreferenceDto.preferenceOf(body);
    const change = { preference, actor: actorOfCaller(caller), ifVersion };
    return PreferenceDto.of(await this.preferences.replace({ organizationId, capability }, change));
  }
}
