export { type BrandRow, readBrand, writeBrand } from '../rooms/brands.ts'
