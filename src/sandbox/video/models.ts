import { dollars } from '../route/schemas.ts'
import type { MediaModelFacts } from '../media/generations.ts'

export interface VideoModel extends MediaModelFacts {
  /** Whether an image is required, and not only supported. */
  readonly fromImage: boolean
  /** 10^-12 USD for one second at the first quality. */
  readonly perSecond: bigint
  /** Seconds; the first is the default. */
  readonly durations: readonly [string, ...string[]]
  readonly qualities: readonly ['720p', ...('480p' | '720p' | '1080p')[]]
}

export type VideoQuality = VideoModel['qualities'][number]

export const videoModels: readonly VideoModel[] = [
  {
    id: 'sandbox/carosello-video',
    name: 'Sandbox Carosello Video',
    addedAt: '2026-04-08',
    contextLength: 4000,
    input: ['text', 'image'],
    fromImage: false,
    perSecond: 80_500_000_000n,
    durations: ['5', '10'],
    qualities: ['720p', '480p', '1080p'],
  },
  {
    id: 'sandbox/giostra-image-to-video',
    name: 'Sandbox Giostra Image to Video',
    addedAt: '2026-08-01',
    contextLength: 2000,
    input: ['text', 'image'],
    fromImage: true,
    perSecond: 46_000_000_000n,
    durations: ['8'],
    qualities: ['720p'],
  },
]

const percent: Readonly<Record<VideoQuality, bigint>> = { '480p': 50n, '720p': 100n, '1080p': 200n }

/** 10^-12 USD. */
export function videoPrice(model: VideoModel, duration: string, quality: VideoQuality): bigint {
  return (model.perSecond * BigInt(duration) * percent[quality]) / 100n
}

export function videoPricing(model: VideoModel): object {
  return {
    currency: 'USD',
    base_price: dollars(videoPrice(model, model.durations[0], model.qualities[0])),
    quality: Object.fromEntries(
      model.qualities.map((quality) => [
        quality,
        {
          duration: Object.fromEntries(
            model.durations.map((duration) => [duration, dollars(videoPrice(model, duration, quality))]),
          ),
        },
      ]),
    ),
  }
}
