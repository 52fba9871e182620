export type { BrandSummary } from './queries/brand.view.js';
export { FindBrands } from './queries/read-brands.js';
export { GetBrand } from './queries/read-brands.js';
