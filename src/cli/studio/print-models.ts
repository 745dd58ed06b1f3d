import type { Model } from '../../shared/model.ts'
import { formatUsd } from '../../shared/format-money.ts'
import { modelJson } from '../json-amounts.ts'
import { print } from '../with-client.ts'
import { printSkippedEntries } from '../print-notices.ts'
import { atStudio } from './at-studio.ts'
import { oneLine } from '../format.ts'

/** `--models`: lists the models of a type with prices. Returns the exit code. */
export function printModels(type: 'image' | 'video' | 'embedding', json: boolean): Promise<number> {
  return atStudio(json, async ({ connection: { client }, interrupts }) => {
    const models = await client.studio.models({ types: [type] }, { signal: interrupts.asked })
    print(
      json,
      { models: models.map(modelJson) },
      models.length === 0
        ? 'The service lists no models of this type.'
        : models.map((model) => oneLine(`${model.id}  ${priceOf(model)}  ${model.name}`)).join('\n'),
    )
    printSkippedEntries((await client.app.status()).notices, (line) => void process.stderr.write(`${line}\n`))
    return 0
  })
}

function priceOf({ mediaPrice, averageCost, inputPerMillion }: Model): string {
  if (mediaPrice?.perSecond !== undefined) return `${price(mediaPrice.perSecond)} per second`
  if (mediaPrice?.base !== undefined)
    return `${price(mediaPrice.base)}${mediaPrice.tables.length > 0 ? ', depending on the options' : ''}`
  if (mediaPrice && mediaPrice.tables.length > 0) return 'depends on the options'
  if (inputPerMillion !== undefined) return `${price(inputPerMillion)} per million tokens`
  return averageCost === undefined ? 'no listed price' : `about ${formatUsd(averageCost)}`
}

function price(picoUsd: string): string {
  return formatUsd(picoUsd, 'en', { style: 'price' })
}
