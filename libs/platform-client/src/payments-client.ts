import type {
  Checkout,
  InvoicePreview,
  ItemChange,
  NewCheckout,
  NewPrice,
  PaymentPrice,
  PaymentsCall,
  PaymentsResult,
  PaymentSubscription,
  PaymentSubscriptionItem,
} from './payments.types.js';

/** Calls to the payment provider through the gateway. No method throws, and none is repeated here. */
export abstract class PaymentsClient {
  /** Whether this service is configured to call the gateway. */
  abstract readonly isConfigured: boolean;

  abstract createPrice(call: PaymentsCall, price: NewPrice): Promise<PaymentsResult<PaymentPrice>>;

  abstract createCheckout(call: PaymentsCall, checkout: NewCheckout): Promise<PaymentsResult<Checkout>>;

  abstract checkout(call: PaymentsCall, id: string): Promise<PaymentsResult<Checkout>>;

  /** @returns an address that signs the person in to the billing of the customer: do not store it */
  abstract openPortal(
    call: PaymentsCall,
    portal: { readonly customerId: string; readonly returnUrl: string },
  ): Promise<PaymentsResult<{ readonly url: string }>>;

  abstract subscription(call: PaymentsCall, id: string): Promise<PaymentsResult<PaymentSubscription>>;

  abstract changeItem(
    call: PaymentsCall,
    change: ItemChange,
  ): Promise<PaymentsResult<PaymentSubscriptionItem>>;

  /** What a change would cost. Charges and changes nothing. */
  abstract previewChange(call: PaymentsCall, change: ItemChange): Promise<PaymentsResult<InvoicePreview>>;
}
