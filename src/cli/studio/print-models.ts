import type { Model } from '../../shared/model.ts'
import { formatUsd } from '../../shared/money.ts'
import { print } from '../at-door.ts'
import { atStudio } from './at-studio.ts'
import { oneLine } from './words.ts'

/** `--models`: lists the models of a type with prices. Returns the exit code. */
export function printModels(type: 'image' | 'video' | 'embedding', json: boolean): Promise<number> {
  return atStudio(json, async ({ door: { client }, interrupts }) => {
    const models = await client.studio.models({ types: [type] }, { signal: interrupts.asked })
    print(json, { models }, models.length === 0 ? 'The service lists no models of this type.' : models.map((model) => oneLine(`${model.id}  ${priceOf(model)}  ${model.name}`)).join('\n'))
    return 0
  })
}

function priceOf({ mediaPrice, averageCost, inputPerMillion }: Model): string {
  if (mediaPrice?.perSecond !== undefined) return `${formatUsd(mediaPrice.perSecond)} per second`
  if (mediaPrice?.base !== undefined) return `${formatUsd(mediaPrice.base)}${mediaPrice.tables.length > 0 ? ', depending on the options' : ''}`
  if (mediaPrice && mediaPrice.tables.length > 0) return 'depends on the options'
  if (inputPerMillion !== undefined) return `${formatUsd(inputPerMillion)} per million tokens`
  return averageCost === undefined ? 'no listed price' : `about ${formatUsd(averageCost)}`
}
