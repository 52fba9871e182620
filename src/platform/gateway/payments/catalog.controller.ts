import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import { CreatePriceDto, PriceDto, ProductDataDto, ProductDto } from './dto/catalog.dto.js';
import { ownedMetadata } from './objects/owner.js';
import { OwnedObjects } from './objects/owned-objects.js';
import { CallerKey, ChangesPayments } from './operations/caller-key.js';
import { Operations } from './operations/operations.js';
import { PaymentCredentials } from './stripe/payment-credentials.js';
import { PaymentReads } from './payment-reads.js';
import { ProductIsNotStatedOnce } from './payments.errors.js';
import { ProviderIdPipe } from './provider-id.pipe.js';
import { priceView, productView } from './stripe/views.js';

@ApiTags('Payments')
@ServiceCallers('payments')
@problemResponses(422, 502)
@Controller('api/payments')
export class CatalogController {
  constructor(
    private readonly operations: Operations,
    private readonly reads: PaymentReads,
    private readonly credentials: PaymentCredentials,
    private readonly objects: OwnedObjects,
  ) {}

  @ApiOperation({
    summary: 'Create a product',
    description: 'In the own account of the organization, else in that of the platform.',
  })
  @ApiCreatedResponse({ type: ProductDto, description: 'The product.' })
  @ChangesPayments()
  @Post('products')
  async createProduct(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: ProductDataDto,
  ): Promise<ProductDto> {
    const { name, description, metadata = {} } = body;
    const prepare = async () => ({
      credentialId: await this.credentials.choose(attribution.organizationId),
      params: {
        name,
        ...(description && { description }),
        metadata: ownedMetadata(attribution, metadata),
      },
    });
    const wanted = { kind: 'product.create' as const, sent: body, callerKey, prepare };
    return (await this.operations.perform(attribution, wanted)) as ProductDto;
  }

  @ApiOperation({ summary: 'One product', description: 'As the provider has it now.' })
  @ApiOkResponse({ type: ProductDto, description: 'The product.' })
  @Header('Cache-Control', 'no-store')
  @Get('products/:id')
  async getProduct(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<ProductDto> {
    return productView(
      await this.reads.of(attribution, [{ name: 'product', id }], (stripe) => stripe.products.retrieve(id)),
    );
  }

  @ApiOperation({
    summary: 'Create a price',
    description:
      'For an existing product (`productId`) or for a new one (`productData`): both or neither is 400.',
  })
  @ApiCreatedResponse({ type: PriceDto, description: 'The price.' })
  @ChangesPayments()
  @Post('prices')
  async createPrice(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: CreatePriceDto,
  ): Promise<PriceDto> {
    const { productId, productData } = body;
    if ((productId === undefined) === (productData === undefined)) throw new ProductIsNotStatedOnce();
    const prepare = async () => ({
      params: paramsOf(attribution, body),
      credentialId:
        productId === undefined
          ? await this.credentials.choose(attribution.organizationId)
          : await this.objects.credentialOf(attribution, [{ name: 'product', id: productId }]),
    });
    const wanted = { kind: 'price.create' as const, sent: body, callerKey, prepare };
    return (await this.operations.perform(attribution, wanted)) as PriceDto;
  }

  @ApiOperation({ summary: 'One price', description: 'As the provider has it now.' })
  @ApiOkResponse({ type: PriceDto, description: 'The price.' })
  @Header('Cache-Control', 'no-store')
  @Get('prices/:id')
  async getPrice(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<PriceDto> {
    return priceView(
      await this.reads.of(attribution, [{ name: 'price', id }], (stripe) => stripe.prices.retrieve(id)),
    );
  }
}

function paramsOf(attribution: Attribution, body: CreatePriceDto) {
  const { currency, unitAmount, recurring, productId, productData, nickname, metadata = {} } = body;
  return {
    currency: currency.toLowerCase(),
    unit_amount: unitAmount,
    metadata: ownedMetadata(attribution, metadata),
    ...(nickname && { nickname }),
    ...(recurring && {
      recurring: { interval: recurring.interval, interval_count: recurring.intervalCount ?? 1 },
    }),
    ...(productId !== undefined && { product: productId }),
    ...(productData && {
      product_data: {
        name: productData.name,
        metadata: ownedMetadata(attribution, productData.metadata ?? {}),
      },
    }),
  };
}
