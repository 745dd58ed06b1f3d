import type { Model } from '../../shared/model.ts'
import { formatUsd } from '../../shared/format-money.ts'
import { print } from '../at-door.ts'
import { atStudio } from './at-studio.ts'
import { oneLine } from './words.ts'

/** `--models`: those that are listed for it, with what they cost. Returns the exit code. */
export function printModels(type: 'image' | 'video' | 'embedding', json: boolean): Promise<number> {
  return atStudio(json, async ({ door: { client }, interrupts }) => {
    const models = await client.studio.models({ types: [type] }, { signal: interrupts.asked })
    print(json, { models }, models.length === 0 ? 'None is listed.' : models.map((model) => oneLine(`${model.id}  ${priceOf(model)}  ${model.name}`)).join('\n'))
    return 0
  })
}

function priceOf({ mediaPrice, averageCost, inputPerMillion }: Model): string {
  if (mediaPrice?.perSecond !== undefined) return `${price(mediaPrice.perSecond)} per second`
  if (mediaPrice?.base !== undefined) return `${price(mediaPrice.base)}${mediaPrice.tables.length > 0 ? ', or by its choices' : ''}`
  if (mediaPrice && mediaPrice.tables.length > 0) return 'by its choices'
  if (inputPerMillion !== undefined) return `${price(inputPerMillion)} per million tokens`
  return averageCost === undefined ? 'no price listed' : `about ${formatUsd(averageCost)}`
}

function price(picoUsd: string): string {
  return formatUsd(picoUsd, 'en', { style: 'price' })
}
