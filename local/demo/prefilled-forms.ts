import { ApiDocument, type FormValues, type RunningService } from '#libs/http';
import { type Demo, DemoIsUnavailable } from './demo.js';
import { SERVICE, signIn } from './identity-steps.js';
import { NewestIds } from './newest-ids.js';
import { Visitor } from './visitor.js';

/** Fills the forms of Swagger UI with the demo's own ids and those of its newest resources. */
export function prefillForms(services: readonly RunningService[], identity: string, demo: Demo): void {
  const demoValues = new DemoValues(identity, demo);
  for (const { app, url } of services) {
    const document = app.get(ApiDocument);
    document.formValues = () => demoValues.at(url, Object.keys(document.get()?.paths ?? {}));
  }
}

/** What the forms show, as the demo's person finds it. */
class DemoValues {
  constructor(
    private readonly identity: string,
    private readonly demo: Demo,
  ) {}

  /** Without ids of resources when the demo can no longer sign in. */
  async at(url: string, paths: readonly string[]): Promise<FormValues> {
    const { brandId, organizationId } = this.demo;
    const known = {
      brandId,
      organizationId,
      'X-Brand-ID': brandId,
      'X-Organization-Id': organizationId,
      platform: 'x',
      capability: 'completions',
      service: SERVICE,
      slug: SERVICE,
    };
    try {
      const person = await this.signIn();
      const application = await person.json<{ id: string }>(
        'GET',
        `${this.identity}/api/services/${SERVICE}`,
      );
      return await new NewestIds(url, person).of(paths, { ...known, 'X-Application-Id': application.id });
    } catch (error) {
      if (error instanceof DemoIsUnavailable) return known;
      throw error;
    }
  }

  private async signIn(): Promise<Visitor> {
    const { accessToken } = await signIn(this.identity, this.demo);
    return new Visitor({
      authorization: `Bearer ${accessToken}`,
      'x-brand-id': this.demo.brandId,
      'x-organization-id': this.demo.organizationId,
    });
  }
}
