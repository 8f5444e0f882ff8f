export { type BrandRow, readBrand, writeBrand } from './brands.ts'
