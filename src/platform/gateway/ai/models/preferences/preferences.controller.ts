import { Body, Controller, Get, Injectable, Param, type PipeTransform, Put } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '#libs/auth';
import { VersionIsStale } from '#libs/event-store';
import { IfMatch, problemResponses, ReturnsEtag } from '#libs/http';
import {
  AI_CAPABILITIES,
  type AiCapability,
  type Attribution,
  capabilityInPath,
} from '../../../access/attribution.js';
import { AiCallers, OrganizationCallers, PlatformAdmins } from '../../../access/callers.js';
import { CurrentAttribution, CurrentOrganization } from '../../../access/current-access.js';
import { actorOfCaller } from '../../../audit/gateway-audit.js';
import { AllowedModelsDto, PreferenceDto, WritePreferenceDto } from './preference.dto.js';
import { Preferences } from './preferences.js';

@Injectable()
class CapabilityPipe implements PipeTransform<string, AiCapability> {
  transform(value: string): AiCapability {
    return capabilityInPath(value);
  }
}

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
  getPreference(@Param('capability', CapabilityPipe) capability: AiCapability): Promise<PreferenceDto> {
    return this.preferences.get({ organizationId: null, capability });
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
  replacePreference(
    @CurrentCaller() caller: Caller,
    @Param('capability', CapabilityPipe) capability: AiCapability,
    @Body() body: WritePreferenceDto,
    @IfMatch() ifVersion?: number,
  ): Promise<PreferenceDto> {
    const preference = WritePreferenceDto.preferenceOf(body);
    const change = { preference, actor: actorOfCaller(caller), ifVersion };
    return this.preferences.replace({ organizationId: null, capability }, change);
  }
}

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
  getPreference(
    @CurrentAttribution() { organizationId }: Attribution,
    @Param('capability', CapabilityPipe) capability: AiCapability,
  ): Promise<PreferenceDto> {
    return this.preferences.get({ organizationId, capability });
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
    return { data: await this.preferences.allowedModels({ organizationId, capability }) };
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
  replacePreference(
    @CurrentCaller() caller: Caller,
    @CurrentOrganization() organizationId: string,
    @Param('capability', CapabilityPipe) capability: AiCapability,
    @Body() body: WritePreferenceDto,
    @IfMatch() ifVersion?: number,
  ): Promise<PreferenceDto> {
    const preference = WritePreferenceDto.preferenceOf(body);
    const change = { preference, actor: actorOfCaller(caller), ifVersion };
    return this.preferences.replace({ organizationId, capability }, change);
  }
}
