import { dollars } from '../route/schemas.ts'
import type { MediaModelFacts } from '../media/generations.ts'

export const imageFormats = ['png', 'jpeg', 'webp'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** The operation of a model that supports only one on a source image. */
export type ImageTask = 'generate' | 'edit' | 'upscale' | 'remove-background'

export interface ImageModel extends MediaModelFacts {
  readonly task: ImageTask
  /** 10^-12 USD for one image at the first quality and resolution. */
  readonly base: bigint
  /** Percent of the base price; the first is the default. Empty: the parameter is not supported. */
  readonly qualities: Readonly<Record<string, bigint>>
  readonly resolutions: Readonly<Record<string, bigint>>
  /** Aspect ratios; the first is the default. */
  readonly sizes: readonly string[]
  readonly formats: readonly ImageFormat[]
}

const textAndImage = ['text', 'image']
const everySize = [
  '1:1',
  '16:9',
  '9:16',
  '4:3',
  '3:4',
  '3:2',
  '2:3',
  '1024x1024',
  '1536x1024',
  '1024x1536',
  '512x512',
  '256x256',
]

export const imageModels: readonly ImageModel[] = [
  {
    id: 'sandbox/affresco-image',
    name: 'Sandbox Affresco Image',
    addedAt: '2026-04-08',
    contextLength: 4000,
    input: textAndImage,
    task: 'generate',
    base: 80_500_000_000n,
    qualities: { medium: 100n, low: 25n, high: 250n },
    resolutions: { '1K': 100n, '2K': 150n, '4K': 300n },
    sizes: everySize,
    formats: imageFormats,
  },
  {
    id: 'sandbox/bozzetto-image',
    name: 'Sandbox Bozzetto Image',
    addedAt: '2026-07-02',
    contextLength: 2000,
    input: ['text'],
    task: 'generate',
    base: 11_500_000_000n,
    qualities: {},
    resolutions: {},
    sizes: ['1:1', '16:9', '9:16'],
    formats: ['png'],
  },
  {
    id: 'sandbox/restauro-edit',
    name: 'Sandbox Restauro Edit',
    addedAt: '2026-06-14',
    contextLength: 4000,
    input: textAndImage,
    task: 'edit',
    base: 46_000_000_000n,
    qualities: { standard: 100n, '4k': 200n },
    resolutions: {},
    sizes: ['1:1', '16:9', '9:16'],
    formats: imageFormats,
  },
  {
    id: 'sandbox/lente-upscale',
    name: 'Sandbox Lente Upscale',
    addedAt: '2026-05-20',
    contextLength: 1,
    input: ['image'],
    task: 'upscale',
    base: 23_000_000_000n,
    qualities: {},
    resolutions: {},
    sizes: [],
    formats: imageFormats,
  },
  {
    id: 'sandbox/ritaglio-background',
    name: 'Sandbox Ritaglio Background Removal',
    addedAt: '2026-05-20',
    contextLength: 1,
    input: ['image'],
    task: 'remove-background',
    base: 5_750_000_000n,
    qualities: {},
    resolutions: {},
    sizes: [],
    formats: ['png'],
  },
]

/** 10^-12 USD for one image. */
export function imagePrice(
  model: ImageModel,
  quality: string | undefined,
  resolution: string | undefined,
): bigint {
  return (
    (((model.base * (model.qualities[quality ?? ''] ?? 100n)) / 100n) *
      (model.resolutions[resolution ?? ''] ?? 100n)) /
    100n
  )
}

export function imagePricing(model: ImageModel): object {
  const table = (percents: Readonly<Record<string, bigint>>) =>
    Object.fromEntries(
      Object.entries(percents).map(([name, percent]) => [name, dollars((model.base * percent) / 100n)]),
    )
  return {
    currency: 'USD',
    base_price: dollars(model.base),
    ...(Object.keys(model.qualities).length > 0 && { quality: qualityTable(model, table) }),
  }
}

/** If a model has both parameters, each quality has prices by resolution. */
function qualityTable(
  model: ImageModel,
  table: (percents: Readonly<Record<string, bigint>>) => object,
): object {
  if (Object.keys(model.resolutions).length === 0) return table(model.qualities)
  return Object.fromEntries(
    Object.keys(model.qualities).map((quality) => [
      quality,
      {
        resolution: Object.fromEntries(
          Object.keys(model.resolutions).map((resolution) => [
            resolution,
            dollars(imagePrice(model, quality, resolution)),
          ]),
        ),
      },
    ]),
  )
}
