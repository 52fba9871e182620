import { Body, Controller, Get, Header, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { problemResponses } from '#libs/http';
import type { Attribution } from '../access/attribution.js';
import { ServiceCallers } from '../access/callers.js';
import { CurrentAttribution } from '../access/current-access.js';
import {
  CheckoutSessionDto,
  CreateCheckoutSessionDto,
  CreateCustomerDto,
  CreatePortalSessionDto,
  CustomerDto,
  PortalSessionDto,
} from './dto/checkout.dto.js';
import { ownedMetadata } from './stripe/owned-objects.js';
import { CallerKey, ChangesPayments, ProviderIdPipe } from './dto/shared.js';
import { Operations } from './operations/operations.js';
import { PaymentReads } from './payment-reads.js';
import { PaymentObjectNotFound, PaymentRequestIsNotValid } from './payments.errors.js';
import { ReturnAddresses } from './return-addresses.js';
import { checkoutView, customerView } from './stripe/views.js';

@ApiTags('Payments')
@ServiceCallers('payments')
@problemResponses(422, 502)
@Controller('api/payments')
export class CheckoutController {
  constructor(
    private readonly operations: Operations,
    private readonly reads: PaymentReads,
    private readonly addresses: ReturnAddresses,
  ) {}

  @ApiOperation({
    summary: 'Create a customer',
    description: 'A checkout of a subscription creates one by itself where none is named.',
  })
  @ApiCreatedResponse({ type: CustomerDto, description: 'The customer.' })
  @ChangesPayments()
  @Post('customers')
  createCustomer(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: CreateCustomerDto,
  ): Promise<CustomerDto> {
    const { name, email, metadata = {} } = body;
    return this.operations.perform(attribution, {
      kind: 'customer.create',
      sent: body,
      callerKey,
      references: [],
      params: () => ({
        ...(name && { name }),
        ...(email && { email }),
        metadata: ownedMetadata(attribution, metadata),
      }),
    });
  }

  @ApiOperation({
    summary: 'One customer',
    description: 'As the provider has it now; 404 after it was deleted there.',
  })
  @ApiOkResponse({ type: CustomerDto, description: 'The customer.' })
  @Header('Cache-Control', 'no-store')
  @Get('customers/:id')
  async getCustomer(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<CustomerDto> {
    const customer = await this.reads.of(attribution, [{ name: 'customer', id }], (stripe) =>
      stripe.customers.retrieve(id),
    );
    if (customer.deleted) throw new PaymentObjectNotFound('customer');
    return customerView(customer);
  }

  @ApiOperation({
    summary: 'Create a checkout session',
    description:
      'Send the person to `url`. The metadata are copied to the subscription or to the payment, which the provider does not do by itself. In mode `payment` without `customerId` the person pays as a guest: `customerId` stays null.',
  })
  @ApiCreatedResponse({ type: CheckoutSessionDto, description: 'The session.' })
  @ChangesPayments()
  @Post('checkout-sessions')
  createCheckoutSession(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: CreateCheckoutSessionDto,
  ): Promise<CheckoutSessionDto> {
    const { items, customerId } = body;
    const prices = items.map(({ priceId: id }) => ({ name: 'price', id }));
    return this.operations.perform(attribution, {
      kind: 'checkout_session.create',
      sent: body,
      callerKey,
      references: customerId === undefined ? prices : [...prices, { name: 'customer', id: customerId }],
      params: () => this.paramsOf(attribution, body),
    });
  }

  @ApiOperation({ summary: 'One checkout session', description: 'As the provider has it now.' })
  @ApiOkResponse({ type: CheckoutSessionDto, description: 'The session.' })
  @Header('Cache-Control', 'no-store')
  @Get('checkout-sessions/:id')
  async getCheckoutSession(
    @CurrentAttribution() attribution: Attribution,
    @Param('id', ProviderIdPipe) id: string,
  ): Promise<CheckoutSessionDto> {
    return checkoutView(await this.reads.checkoutSession(attribution, id));
  }

  @ApiOperation({ summary: 'Create a billing portal session', description: 'Send the person to `url`.' })
  @ApiCreatedResponse({ type: PortalSessionDto, description: 'The session.' })
  @Header('Cache-Control', 'no-store')
  @ChangesPayments()
  @Post('portal-sessions')
  createPortalSession(
    @CurrentAttribution() attribution: Attribution,
    @CallerKey() callerKey: string | null,
    @Body() body: CreatePortalSessionDto,
  ): Promise<PortalSessionDto> {
    const { customerId, returnUrl } = body;
    return this.operations.perform(attribution, {
      kind: 'portal_session.create',
      sent: body,
      callerKey,
      references: [{ name: 'customer', id: customerId }],
      params: () => ({ customer: customerId, return_url: this.addresses.allowed('returnUrl', returnUrl) }),
    });
  }

  private paramsOf(attribution: Attribution, body: CreateCheckoutSessionDto) {
    const { mode, items, customerId, customerEmail, reference, cancelUrl } = body;
    if (customerId !== undefined && customerEmail !== undefined)
      throw new PaymentRequestIsNotValid('customerEmail', 'must not be sent with customerId');
    const metadata = ownedMetadata(attribution, body.metadata ?? {});
    return {
      mode,
      line_items: items.map(({ priceId, quantity }) => ({ price: priceId, quantity })),
      success_url: this.addresses.allowed('successUrl', body.successUrl),
      ...(cancelUrl !== undefined && { cancel_url: this.addresses.allowed('cancelUrl', cancelUrl) }),
      ...(customerId !== undefined && { customer: customerId }),
      ...(customerEmail !== undefined && { customer_email: customerEmail }),
      ...(reference !== undefined && { client_reference_id: reference }),
      // The provider copies the metadata of a session to nothing. Without them, a payment of a guest names no owner.
      ...(mode === 'subscription'
        ? { subscription_data: { metadata } }
        : { payment_intent_data: { metadata } }),
      metadata,
    };
  }
}
