import { applyDecorators, Body, Controller, HttpCode, Injectable, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiBearerAuth, ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BrandId, type Caller, CurrentCaller, namedBrand, RequiresScopes } from '#libs/auth';
import {
  abortOnDisconnect,
  BEARER_AUTH,
  idempotencyKey,
  IdempotentLongWork,
  problemResponse,
  problemResponses,
  type ResponseSaver,
  SaveResponse,
  scopedKey,
} from '#libs/http';
import { GenerateImage, type Requester } from '../commands/generate-image.js';
import { GeneratedImageDto, GenerateImageDto } from './dto/generate-image.dto.js';

interface ImageExchange {
  readonly request: Request;
  readonly response: Response;
  readonly save: ResponseSaver;
}

/** The part that the public and the internal route share. */
@Injectable()
export class GeneratedImages {
  constructor(private readonly commands: CommandBus) {}

  /**
   * A request with an Idempotency-Key is finished without its client, and its response is stored with the file; another one ends when
   * the client leaves.
   */
  async generate(
    { request, response, save }: ImageExchange,
    requester: Requester,
    brandId: string,
    { prompt, model, width, height, quality, format }: GenerateImageDto,
  ): Promise<GeneratedImageDto> {
    const key = idempotencyKey(request);
    const generated = await this.commands.execute(
      new GenerateImage({
        brandId,
        requester,
        model,
        image: { prompt, width, height, quality, format },
        // The gateway knows keys by organization only: two people may choose the same.
        idempotencyKey: key === undefined ? undefined : scopedKey(request, key).toString('hex'),
        left: key === undefined ? abortOnDisconnect(response) : undefined,
        alongside: (executor, stored) => {
          response.location(addressOf(stored.file.id));
          return save(executor, GeneratedImageDto.of(brandId, stored));
        },
      }),
    );
    response.location(addressOf(generated.file.id));
    return GeneratedImageDto.of(brandId, generated);
  }
}

const addressOf = (mediaId: string): string => `/api/media/${mediaId}`;

const described = (status: number, description: string) =>
  ApiResponse({ status, ...problemResponse(status), description });

/** A provider that gave no Retry-After: waiting a known time does not help. */
const LIMITED = {
  ...problemResponse(429),
  description:
    'A limit. Of this service: `image_limit_reached` of the organization and hour, `too_many_images_at_once` of the process, `image_gateway_busy` of the gateway’s processes. After the whole fallback chain: `provider_rate_limited`, `provider_out_of_money`. Of the organization’s spend: `spend_limit_reached`.',
  headers: {
    'Retry-After': {
      description: 'Seconds to wait; missing where waiting does not help or no provider says how long.',
      schema: { type: 'integer' as const, minimum: 1 },
    },
  },
};

const ImageProblems = () =>
  applyDecorators(
    problemResponses(400, 401),
    described(
      403,
      `Not permitted. \`model_override_not_permitted\`: only administrators may name a model. \`model_not_allowed\`: the organization does not allow it.`,
    ),
    described(404, 'No such brand: `brand_not_found`.'),
    described(
      409,
      'A request with this Idempotency-Key is still running: `idempotent_request_running`. Repeat it in a moment.',
    ),
    described(
      413,
      'The storage quota of the organization is used up, and nothing was drawn: `storage_quota_exceeded`.',
    ),
    described(
      422,
      'Another request is needed: `idempotency_key_reused`, `content_policy`, `model_not_found`, `model_retired`, `model_unpriced`, `context_too_long`, `spend_estimate_too_large`, `provider_refused_request`.',
    ),
    ApiResponse({ status: 429, ...LIMITED }),
    described(
      502,
      'No usable picture: `provider_response_unreadable`, `provider_no_answer`, `image_too_large`, `media_not_readable`, `media_type_not_supported`, `media_type_does_not_match`, `media_has_too_many_pixels`, `media_has_too_many_frames`; or `image_in_doubt` when the provider gateway sent no response. With an Idempotency-Key a picture in doubt is stored later, or found by a repeated request.',
    ),
    described(
      503,
      `${problemResponse(503).description} Nothing was drawn: \`images_not_set_up\`, \`image_providers_unavailable\`, \`image_still_drawn\`.`,
    ),
  );

@ApiTags('AI')
@ApiBearerAuth(BEARER_AUTH)
@Controller('api/ai')
export class ImagesController {
  constructor(private readonly images: GeneratedImages) {}

  @Post('generate-image')
  @HttpCode(200)
  @RequiresScopes('posts.write')
  @IdempotentLongWork({ subject: 'generated-images' })
  @ApiOperation({
    operationId: 'generateImage',
    summary: 'Generate an AI image',
    description:
      'Asks the default model of the organization for one picture, then its fallback chain, and stores it in the library of the brand, marked as made by AI. Its prompt, model, cost and attempts are in `generation` of the file. It is stored also while the object store is down. With an Idempotency-Key the picture is drawn and paid for once and stored, whatever happens to the connection or to a process; without one the call ends when the client leaves.',
  })
  @ApiHeader({ name: 'X-Brand-ID', required: false, description: 'The brand it is about.' })
  @ApiOkResponse({
    type: GeneratedImageDto,
    description: 'The stored picture.',
    headers: {
      Location: {
        description: 'Address of the file.',
        required: true,
        schema: { type: 'string', format: 'uri-reference' },
      },
    },
  })
  @ImageProblems()
  generateImage(
    @Body() body: GenerateImageDto,
    @BrandId() header: string | undefined,
    @CurrentCaller() caller: Caller,
    @SaveResponse() save: ResponseSaver,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GeneratedImageDto> {
    const brandId = namedBrand(body.brandId, header);
    return this.images.generate({ request, response, save }, { kind: 'caller', caller }, brandId, body);
  }
}
