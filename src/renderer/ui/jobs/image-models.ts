import type { Model } from '../../../shared/model.ts'
import type { PriceTable } from '../../../shared/price-table.ts'

/** The tasks that an image model can do. */
export const imageTasks = ['generate', 'edit', 'upscale', 'cut-out'] as const
export type ImageTask = (typeof imageTasks)[number]

/** If the listing doesn't report a model's inputs, its name decides. */
const ENLARGES = /upscal|enhanc|super-?res/i
const CUTS_OUT = /background|rembg|cut-?out/i

/** The tasks of a model, from the inputs that the listing reports. */
export function tasksOf({ id, name, inputModalities = [] }: Model): readonly ImageTask[] {
  const takesText = inputModalities.length === 0 || inputModalities.includes('text')
  const takesImage = inputModalities.length === 0 || inputModalities.includes('image')
  const called = `${id} ${name}`
  if (takesImage && CUTS_OUT.test(called)) return ['cut-out']
  if (takesImage && ENLARGES.test(called)) return ['upscale']
  // The model takes only images, and the listing doesn't report which of the two tasks it does.
  if (!takesText) return ['upscale', 'cut-out']
  return takesImage ? ['generate', 'edit'] : ['generate']
}

export interface ImageChoices {
  readonly quality: readonly string[]
  readonly size: readonly string[]
  readonly resolution: readonly string[]
}

/** The values that a model's listing offers. Empty if the listing reports none. */
export function choicesOf(model: Model | undefined): ImageChoices {
  const found = { quality: new Set<string>(), size: new Set<string>(), resolution: new Set<string>() }
  for (const table of model?.mediaPrice?.tables ?? []) gather(table, found)
  return { quality: [...found.quality], size: [...found.size], resolution: [...found.resolution] }
}

function gather(table: PriceTable, found: Record<'quality' | 'size' | 'resolution', Set<string>>): void {
  if (typeof table === 'string') return
  for (const [value, inner] of Object.entries(table.of)) {
    const by = table.by ?? (/^\d+[x:]\d+$|^(?:square|portrait|landscape)$/i.test(value) ? 'size' : 'quality')
    if (by !== 'duration') found[by].add(value)
    gather(inner, found)
  }
}

/** Whether a model accepts a parameter, as far as its listing reports. */
export function takes(model: Model | undefined, parameter: string): boolean {
  const supported = model?.supportedParameters
  return supported === undefined || supported.length === 0 || supported.includes(parameter)
}
