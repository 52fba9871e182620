import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import { CreatePriceDto, PriceDto, ProductDataDto, ProductDto } from './dto/catalog.dto.js';
import { ownedMetadata } from './stripe/owned-objects.js';
import { CallerKey, ChangesPayments, ProviderIdPipe } from './dto/shared.js';
import { Operations } from './operations/operations.js';
import { PaymentReads } from './payment-reads.js';
import { ProductIsNotStatedOnce } from './payments.errors.js';
import { priceView, productView } from './stripe/views.js';

@ApiTags('Payments')
@ServiceCallers('payments')
@problemResponses(422, 502)
@Controller('api/payments')
export class CatalogController {
  constructor(
    private readonly operations: Operations,
    private readonly reads: PaymentReads,
  ) {}

  @ApiOperation({
    summary: 'Create a product',
    description: 'In the own account of the organization, else in that of the platform.',
  })
  @ApiCreatedResponse({ type: ProductDto, description: 'The product.' })
  @ChangesPayments()
  @Post('products')
  createProduct(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: ProductDataDto,
  ): Promise<ProductDto> {
    const { name, description, metadata = {} } = body;
    return this.operations.perform(attribution, {
      kind: 'product.create',
      sent: body,
      callerKey,
      references: [],
      params: () => ({
        name,
        ...(description && { description }),
        metadata: ownedMetadata(attribution, metadata),
      }),
    });
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
  createPrice(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: CreatePriceDto,
  ): Promise<PriceDto> {
    const { productId, productData } = body;
    if ((productId === undefined) === (productData === undefined)) throw new ProductIsNotStatedOnce();
    return this.operations.perform(attribution, {
      kind: 'price.create',
      sent: body,
      callerKey,
      references: productId === undefined ? [] : [{ name: 'product', id: productId }],
      params: () => paramsOf(attribution, body),
    });
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
