import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { BrandId, InternalOnly, namedBrand } from '#libs/auth';
import { IdempotentLongWork, type ResponseSaver, SaveResponse } from '#libs/http';
import { OwnRegistration } from '../drawing/own-registration.js';
import { type GeneratedImageDto, GenerateImageDto } from './dto/generate-image.dto.js';
import { GeneratedImages } from './generated-images.js';

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
