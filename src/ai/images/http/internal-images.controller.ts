import { Body, Controller, HttpCode, Injectable, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BrandId, InternalOnly, namedBrand } from '#libs/auth';
import { IdempotentLongWork, type ResponseSaver, SaveResponse } from '#libs/http';
import { BUSINESS_API_SLUG, IdentityClient } from '#libs/platform-client';
import { ImagesAreNotSetUp } from '../image.errors.js';
import { type GeneratedImageDto, GenerateImageDto } from './dto/generate-image.dto.js';
import { GeneratedImages } from './images.controller.js';

/** The registered identifier of this service, which is found by its slug at run time. */
@Injectable()
export class OwnRegistration {
  constructor(private readonly identity: IdentityClient) {}

  /** @throws ImagesAreNotSetUp without a registration; IdentityIsUnavailable */
  async id(): Promise<string> {
    const found = await this.identity.registration(BUSINESS_API_SLUG);
    if (!found) throw new ImagesAreNotSetUp('service_not_registered');
    return found.id;
  }
}

/** Served on the management address only, for automation of operators. It may name a model; limits hold as for callers. */
@ApiExcludeController()
@InternalOnly()
@Controller('internal/ai')
export class InternalImagesController {
  constructor(
    private readonly images: GeneratedImages,
    private readonly registration: OwnRegistration,
  ) {}

  @Post('generate-image')
  @HttpCode(200)
  @IdempotentLongWork({ subject: 'generated-images' })
  async generateImage(
    @Body() body: GenerateImageDto,
    @BrandId() header: string | undefined,
    @SaveResponse() save: ResponseSaver,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<GeneratedImageDto> {
    const brandId = namedBrand(body.brandId, header);
    const requester = { kind: 'operator', serviceId: await this.registration.id() } as const;
    return this.images.generate({ request, response, save }, requester, brandId, body);
  }
}
