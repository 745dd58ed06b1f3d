import type { Model } from '../../../../shared/model.ts'
import type { PriceTable } from '../../../../shared/price-table.ts'

/** What can be done about an image. */
export const imageTasks = ['generate', 'edit', 'upscale', 'cut-out'] as const
export type ImageTask = (typeof imageTasks)[number]

/** Where the listing does not say what a model takes, its name does. */
const ENLARGES = /upscal|enhanc|super-?res/i
const CUTS_OUT = /background|rembg|cut-?out/i

/** What a model is for, by what the listing says that it takes in. */
export function tasksOf({ id, name, inputModalities = [] }: Model): readonly ImageTask[] {
  const takesText = inputModalities.length === 0 || inputModalities.includes('text')
  const takesImage = inputModalities.length === 0 || inputModalities.includes('image')
  const called = `${id} ${name}`
  if (takesImage && CUTS_OUT.test(called)) return ['cut-out']
  if (takesImage && ENLARGES.test(called)) return ['upscale']
  // From an image alone, and nobody says which of the two.
  if (!takesText) return ['upscale', 'cut-out']
  return takesImage ? ['generate', 'edit'] : ['generate']
}

export interface ImageChoices {
  readonly quality: readonly string[]
  readonly size: readonly string[]
  readonly resolution: readonly string[]
}

/** What a model's listing lets one choose. None: the listing says nothing of it. */
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

/** Whether a model takes a member of the request, as far as its listing says. */
export function takes(model: Model | undefined, parameter: string): boolean {
  const supported = model?.supportedParameters
  return supported === undefined || supported.length === 0 || supported.includes(parameter)
}
