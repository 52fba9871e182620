/** How long ahead an end is announced that only a person can prevent. */
export class IntegrationWarningsConfig {
  /** Of a connection that is not renewed by itself. */
  grantDays = 7;

  /** Of the version of the interface of a network. */
  apiVersionDays = 30;
}
