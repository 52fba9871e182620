export type { BrandSummary } from './views/brand.view.js';
export { FindBrands } from './queries/find-brands.js';
export { GetBrand } from './queries/get-brand.js';
