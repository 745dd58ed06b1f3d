import type { SevProduct } from '../policy.ts'
import type { CpuId } from './report.ts'

/**
 * The products and their CPUID ranges, in the groups of AMD's key service, which certifies Siena and Bergamo
 * chips as Genoa.
 */
const RANGES: readonly { product: SevProduct; family: number; firstModel: number; lastModel: number }[] = [
  { product: 'Milan', family: 0x19, firstModel: 0x00, lastModel: 0x0f },
  { product: 'Genoa', family: 0x19, firstModel: 0x10, lastModel: 0x1f },
  { product: 'Genoa', family: 0x19, firstModel: 0xa0, lastModel: 0xaf },
  { product: 'Turin', family: 0x1a, firstModel: 0x00, lastModel: 0x11 },
]

/** Returns undefined for any other processor. */
export function productOfCpu({ family, model }: CpuId): SevProduct | undefined {
  return RANGES.find(
    (range) => range.family === family && range.firstModel <= model && model <= range.lastModel,
  )?.product
}

const PRODUCT_NAME = /^(Milan|Genoa|Turin)(?:-[A-Z][0-9])?$/

/** @param name the product name in a chip's certificate, on some chips with the stepping, as in `Milan-B0` */
export function productOfName(name: string): SevProduct | undefined {
  switch (PRODUCT_NAME.exec(name)?.[1]) {
    case 'Milan':
      return 'Milan'
    case 'Genoa':
      return 'Genoa'
    case 'Turin':
      return 'Turin'
    default:
      return undefined
  }
}
